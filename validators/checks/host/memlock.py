"""A login session may lock as much memory as RDMA and NCCL need."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.host import Host
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Host) -> Finding:
    """Compare the soft limit with the least that registering buffers takes; None means unlimited."""
    row = compare.limit(expectation, "host.memlock_gib")
    if row is None:
        return compare.no_limit(expectation, "host.memlock_gib")
    least = compare.number(row)
    limit = seen.memlock_limit_bytes
    return compare.every(
        expectation,
        {"soft limit": "unlimited" if limit is None else f"{limit / compare.GIB:.3f} GiB"},
        lambda _: limit is None or limit >= least * compare.GIB,
        what="locked memory",
        expected=f"at least {least:g} GiB",
        source=compare.limit_source(row),
    )


CHECK = Check(reads=Host, judge=judge, applies=compare.has_accelerators)
