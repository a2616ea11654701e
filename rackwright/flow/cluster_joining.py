"""Lets nodes join a cluster on servers of the site: with a token that its first server creates for one run, and its CA
read over SSH.

During the run the token is in a file that roles read and only its owner can read; afterwards the file is removed and
the token revoked.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

from rackwright import onboard
from rackwright.base.durable_file import replace_file
from rackwright.base.errors import OutsideError
from rackwright.flow import ssh_runner
from rackwright.flow.job import Job
from rackwright.flow.ssh_runner import Runner
from rackwright.model.inventory import Recap
from rackwright.onboard.kubeadm import TOKEN

Bring = Callable[[Sequence[str], Mapping[str, Path]], Recap]
"""From nodes, and files that roles read, to the state of the nodes afterwards."""
JOINING_ROLE = "kubernetes_node"

CREATE = ("kubeadm", "token", "create", "--ttl", "24h", "--description", "nodes that rackwright onboards")
"""A day: the default lifetime of kubeadm's tokens, and longer than the longest run."""
AUTHORITY = ("cat", "/etc/kubernetes/pki/ca.crt")
CA_FILE = "kubernetes-ca.crt"


def bring_nodes(
    job: Job,
    options: onboard.OnboardOptions,
    on_event: onboard.OnEvent,
    nodes: Sequence[str],
    files: Mapping[str, Path],
) -> Recap:
    """Bring some nodes of a run to their bill, with files that roles read."""
    hosts = onboard.inventory(job.design, nodes, job.access, files)
    reach = partial(ssh_runner.runner, job.access)
    guard = onboard.guard(job.design, nodes, reach, options.drain_hook, job.watch.note)
    return onboard.bring_hosts(hosts, job.workspace, onboard.places(job.design, nodes), options, guard, on_event)


def bring_in_order(job: Job, options: onboard.OnboardOptions, bring: Bring) -> Recap:
    """Bring servers of the site's cluster first, because nodes join through them; all at once if no node joins such a
    cluster.

    Nodes of other schedulers are brought even if the servers do not answer.
    """
    files = onboard.secret_files(job.design, job.workspace)
    of_environment = files.get("kubeadm_token")
    try:
        servers = {node.name for node in job.design.nodes("kubernetes")}
        rest = [name for name in job.nodes if name not in servers]
        if options.harmless or not _joins(job, rest, options):
            return bring(job.nodes, {**known_authority(job), **files})
        first = [name for name in job.nodes if name in servers]
        begun = bring(first, files) if first else None
        with ExitStack() as stack:
            let_in = stack.enter_context(join_files(job))
            done = bring(rest, {**known_authority(job), **files, **let_in})
        return _followed(begun, done) if begun else done
    finally:
        if of_environment is not None and not options.harmless:
            of_environment.unlink(missing_ok=True)


def _joins(job: Job, names: Sequence[str], options: onboard.OnboardOptions) -> bool:
    """Whether any of the nodes may join a cluster on servers of the site in this run."""
    if not job.design.nodes("kubernetes") or (options.roles and JOINING_ROLE not in options.roles):
        return False
    return any(job.design.node(name).scheduler == "kubernetes" for name in names)


def _followed(begun: Recap, done: Recap) -> Recap:
    """The recaps of two runs as one."""
    seconds = {role: begun.task_seconds.get(role, 0.0) + spent for role, spent in done.task_seconds.items()}
    return Recap(
        hosts={**begun.hosts, **done.hosts},
        seconds=round(begun.seconds + done.seconds, 3),
        task_seconds={**begun.task_seconds, **seconds},
        waves=(*begun.waves, *done.waves),
        stopped=done.stopped,
    )


@contextmanager
def join_files(job: Job) -> Iterator[dict[str, Path]]:
    """``kubeadm_token`` and ``kubernetes_ca`` of the first server, until the block ends; empty, with a note, if the
    server does not provide them.
    """
    first = job.design.nodes("kubernetes")[0]
    run = ssh_runner.runner(job.access, first.inband_address)
    authority = job.workspace.folder("kubernetes") / CA_FILE
    try:
        replace_file(authority, _output(run, AUTHORITY, first.name), 0o644)
        match = re.search(TOKEN, _output(run, CREATE, first.name))
    except OutsideError as error:
        job.watch.note(str(error))
        match = None
    if match is None:
        yield {}
        return
    path = job.workspace.folder("secrets") / "kubeadm.token"
    try:
        replace_file(path, f"{match[0]}\n", 0o600)
        yield {"kubeadm_token": path, "kubernetes_ca": authority}
    finally:
        path.unlink(missing_ok=True)
        with suppress(OutsideError):  # it ends by itself
            run(("kubeadm", "token", "delete", match[0].partition(".")[0]))


def known_authority(job: Job) -> Mapping[str, Path]:
    """``kubernetes_ca`` of an earlier run; empty before the first."""
    path = job.workspace.folder("kubernetes") / CA_FILE
    return {"kubernetes_ca": path} if path.is_file() and job.design.nodes("kubernetes") else {}


def _output(run: Runner, words: Sequence[str], server: str) -> str:
    status, out, err = run(words)
    if status:
        lines = (err or out).strip().splitlines()[-1:]
        raise OutsideError(
            f"{shlex.join(words)} on {server} ended with {status}: {(lines or ['it printed nothing'])[0]}; nodes join when the control plane runs: "
            f"onboard {server} first"
        )
    return out
