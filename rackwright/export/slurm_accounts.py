"""Slurm's view of tenants and classes: a script for `sacctmgr` that brings accounts, QOS and members to the site, and removes nothing.

A tenant is an account with two below it, as it has two queues in Kueue: what its jobs that are not preemptible use ends at its quota, and what both
use together at its quota and what it may borrow. A class is a QOS, which preempts those of preemptible classes with a lower priority. Options:
sacctmgr(1) and slurm.conf(5), Slurm 22.05 to 25.05.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence

from rackwright.model.capacity import PoolPart, classes_in, of_quota, parts
from rackwright.model.design import Design
from rackwright.model.tenancy import JobClass, Tenant

GUARANTEED, PREEMPTIBLE = "guaranteed", "preemptible"
HEAD = """\
#!/bin/sh
# Tenants and classes of {site} in the accounting database of Slurm, written by rackwright export. Change the site, not this file.
# Run it where sacctmgr reaches slurmdbd, as often as the site or its groups change: what is as declared stays. It removes nothing.
# slurm.conf needs what accounting.conf says.
set -eu
cluster={cluster}
have() {{ sacctmgr --noheader --parsable2 show "$1" where "name=$2" format=name | grep -q .; }}
if ! sacctmgr --noheader --parsable2 show tres format=type,name | grep -q '^gres|gpu$'; then
    echo "slurmdbd knows no accelerators yet: start slurmctld with the lines of accounting.conf first" >&2
    exit 1
fi
qos() {{
    name=$1
    preempt=$2
    shift 2
    have qos "$name" || sacctmgr --immediate --quiet add qos "$name"
    sacctmgr --immediate --quiet modify qos where "name=$name" set "$@" >/dev/null
    # an empty list for a QOS that has none makes slurmdbd 22.05 see a loop later
    before=$(sacctmgr --noheader --parsable2 show qos where "name=$name" format=preempt)
    [ "$(sorted "$before")" = "$(sorted "$preempt")" ] || sacctmgr --immediate --quiet modify qos where "name=$name" set "preempt=$preempt" >/dev/null
}}
sorted() {{ echo "$1" | tr , '\\n' | sort | tr '\\n' ,; }}
account() {{
    name=$1
    parent=$2
    shift 2
    member_of "$name" "" || sacctmgr --immediate --quiet add account "$name" "cluster=$cluster" "parent=$parent" "description=$name" "organization=$name"
    sacctmgr --immediate --quiet modify account where "name=$name" "cluster=$cluster" set "$@" >/dev/null
}}
member_of() {{ sacctmgr --noheader --parsable2 show assoc where "cluster=$cluster" "account=$1" "user=$2" format=account | grep -q .; }}
user() {{
    for account; do
        [ "$account" = "$1" ] && continue
        member_of "$account" "$1" || sacctmgr --immediate --quiet add user "$1" "cluster=$cluster" "account=$account"
    done
}}
group() {{
    name=$1
    shift
    getent group "$name" >/dev/null || {{ echo "there is no group $name here: run this where the directory of the site is known" >&2; exit 1; }}
    for member in $(getent group "$name" | cut -d: -f4 | tr , ' '); do user "$member" "$@"; done
}}
"""


def accounts(design: Design) -> str:
    """The script; empty for a site without tenants whose quotas or classes are in pools of Slurm."""
    every = parts(design.site, design.servers, design.accelerators, "slurm")
    classes = classes_in(design.site, every)
    tenants = [tenant for tenant in design.site.tenants if _amounts(tenant, every)]
    if not tenants:
        return ""
    lines = [*_qos(classes), *(line for tenant in tenants for line in _tenant(tenant, every, classes))]
    return HEAD.format(site=design.site.site, cluster=design.site.site) + "\n".join(lines) + "\n"


def configuration(design: Design) -> str:
    """Lines of slurm.conf without which the limits have no effect."""
    every = parts(design.site, design.servers, design.accelerators, "slurm")
    types = sorted({_resource(part) for part in every})
    return (
        "# For slurm.conf, with AccountingStorageHost; written by rackwright export.\n"
        "AccountingStorageType=accounting_storage/slurmdbd\n"
        f"AccountingStorageTRES={','.join(['gres/gpu', *types])}\n"
        "AccountingStorageEnforce=associations,limits,qos,safe\n"
        "PreemptType=preempt/qos\nPreemptMode=REQUEUE\nPriorityType=priority/multifactor\nPriorityWeightQOS=1000000\n"
    )


def _qos(classes: Sequence[JobClass]) -> Iterator[str]:
    """The lines of all QOS, lowest priority first, because later ones refer to them."""
    for job in sorted(classes, key=lambda job: job.priority):
        below = [peer.name for peer in classes if peer.preemptible and peer.priority < job.priority]
        wait = job.retry is not None and "preemption" in job.retry.after
        grace = job.checkpoint.grace_seconds if job.checkpoint else 0
        limits = [
            f"priority={job.priority}", f"preemptmode={'requeue' if wait else 'cancel'}", f"gracetime={grace}",
            f"mintresperjob=gres/gpu={job.minimum}", f"maxtresperjob=gres/gpu={job.most}", "flags=DenyOnLimit",
        ]  # fmt: skip
        yield shlex.join(["qos", job.name, ",".join(below), *limits])


def _tenant(tenant: Tenant, every: list[PoolPart], classes: Sequence[JobClass]) -> Iterator[str]:
    quota, most = _amounts(tenant, every), _amounts(tenant, every, borrowed=True)
    mine = [job for job in classes if not job.tenants or tenant.name in job.tenants]
    yield shlex.join(["account", tenant.name, "root", f"grptres={_tres(most)}"])
    names = []
    for kind, amounts in ((GUARANTEED, quota), (PREEMPTIBLE, most)):
        jobs = [job.name for job in mine if job.preemptible is (kind == PREEMPTIBLE)]
        if jobs or not classes:
            names.append(f"{tenant.name}-{kind}")
            words = ["account", names[-1], tenant.name, f"grptres={_tres(amounts)}"]
            yield shlex.join([*words, *([f"qos={','.join(jobs)}", f"defaultqos={jobs[0]}"] if jobs else [])])
    yield from (shlex.join(["user", name, *names]) for name in tenant.members.users)
    yield from (shlex.join(["group", name, *names]) for name in tenant.members.groups)


def _amounts(tenant: Tenant, every: list[PoolPart], *, borrowed: bool = False) -> Counter[str]:
    """Accelerators by TRES."""
    amounts: Counter[str] = Counter()
    for quota in tenant.quota:
        for part in of_quota(quota, every):
            amounts[_resource(part)] += quota.accelerators + (quota.borrow if borrowed else 0)
    return amounts


def _tres(amounts: Counter[str]) -> str:
    return ",".join(f"{name}={count}" for name, count in sorted(amounts.items()))


def _resource(part: PoolPart) -> str:
    """Name of the resource in gres.conf: the beginning of the SKU."""
    return f"gres/gpu:{part.accelerator.split('-')[0]}"
