"""Runs load tests on the nodes of a job that take no jobs; busy nodes are skipped, with a reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rackwright import collect
from rackwright.base import file_lock
from rackwright.base.errors import UsageError
from rackwright.collect import rounds_file
from rackwright.collect.launchers.kubernetes import KubernetesLauncher
from rackwright.collect.launchers.launcher import Launcher
from rackwright.collect.launchers.probe_carrier import Way
from rackwright.flow import schedulers, ssh_runner
from rackwright.flow.job import Job, RunningStep
from rackwright.model.check import NodeEvidence

if TYPE_CHECKING:
    from rackwright.collect.launchers.probe import Controller

LOADED = "another run puts it under load: wait until that one has ended"
MAX_NAMES = 4
"""Nodes of a test that are printed by name."""


@dataclass(frozen=True)
class LoadResult:
    """Result of a load test."""

    evidence: Mapping[str, NodeEvidence]
    refused: Mapping[str, str]
    """Node -> why it was skipped."""


@dataclass(frozen=True)
class Reach:
    """The requested way to reach nodes."""

    name: str
    """``ssh``, ``slurm``, ``mpi`` or ``kubernetes``."""
    image: str = ""
    """For kubernetes: any image with a shell, ``cat`` and ``chroot``; empty: the image of the site."""
    namespace: str = "default"


SSH = Reach("ssh")


def burn_in(
    job: Job, step: RunningStep, burning: collect.Burning, via: Reach = SSH, *, unscheduled: bool = False
) -> LoadResult:
    """Load the nodes of `job` that take no jobs.

    With `unscheduled` no scheduler is queried, because the nodes take no jobs yet.
    """
    by = way_to_nodes(job, via)
    with exclusive_nodes(job, job.candidates) as loaded:
        return _burn_in(job, step, burning, by, loaded if unscheduled else busy(job) | loaded)


@contextmanager
def exclusive_nodes(job: Job, names: Sequence[str]) -> Iterator[dict[str, str]]:
    """Lock `names` against other load tests of this workspace; yields the nodes that another run holds, each with the
    reason.
    """
    with file_lock.lock_names(job.workspace.folder("") / "load.lock", names) as held:
        yield {name: LOADED for name in names if name in held}


def _burn_in(
    job: Job, step: RunningStep, burning: collect.Burning, by: Way | None, refused: Mapping[str, str]
) -> LoadResult:
    nodes = [name for name in job.nodes if name not in refused]
    store = job.evidence_store()

    def event(kind: str, data: dict[str, object]) -> None:
        tests = data.get("asked")
        if kind == "host" and isinstance(tests, list):
            for test in tests:
                job.watch.advance(f"{data['node']} {test}")
        elif kind == "kept":
            step.answer(kind, data)

    if not nodes or not collect.burn_plan(job.design, nodes, burning).asks:
        return LoadResult({}, refused)
    evidence_by_node = collect.burn_in(job.design, nodes, job.access, store, burning, event, asked_by=job.run, by=by)
    step.nodes(
        {
            name: ("; ".join(evidence.errors.values()), f"{len(evidence.records)} tests")
            for name, evidence in evidence_by_node.items()
        }
    )
    step.nodes({name: (why, "") for name, why in refused.items()})
    return LoadResult(evidence_by_node, refused)


@dataclass(frozen=True)
class GroupRequest:
    """The requested tests over several nodes."""

    tests: tuple[str, ...]
    """Ids of collectors of scope ``group``; each is run on every group."""
    rounds: Sequence[rounds_file.Round]
    at_once: int
    """Nodes under load at the same time."""
    words: Mapping[str, str] = field(default_factory=dict)
    """Values for placeholders of commands that the design does not fill (``collective``, ``shared``)."""


def run_rounds(job: Job, request: GroupRequest, way: Launcher, refused: Mapping[str, str]) -> LoadResult:
    """Run every test on every group, round by round; groups with a node in `refused`, or under the load of another run,
    are skipped.
    """
    with exclusive_nodes(
        job, sorted({node for groups in request.rounds for nodes in groups for node in nodes})
    ) as loaded:
        return _run_rounds(job, request, way, {**refused, **loaded})


def _run_rounds(job: Job, request: GroupRequest, way: Launcher, refused: Mapping[str, str]) -> LoadResult:
    rounds = [[nodes for nodes in groups if not refused.keys() & set(nodes)] for groups in request.rounds]
    members = sorted({node for groups in rounds for nodes in groups for node in nodes})
    if not members:
        return LoadResult({}, refused)
    store = job.evidence_store()
    biggest = max(len(nodes) for groups in rounds for nodes in groups)
    with collect.open_rounds(
        job.design, members, request.tests, way, store,
        at_once=max(1, request.at_once // biggest), on_event=job.watch.advance, asked_by=job.run,
    ) as running:  # fmt: skip
        for number, groups in enumerate(rounds, start=1):
            for test in request.tests:
                running.round([_test(test, nodes, number, request.words) for nodes in groups])
    return LoadResult(collect.load(store, running.run, collect.library(job.design.roots)), refused)


def _test(test: str, nodes: tuple[str, ...], number: int, words: Mapping[str, str]) -> collect.GroupTest:
    label = "+".join(nodes) if len(nodes) <= MAX_NAMES else f"{nodes[0]}..{nodes[-1]} ({len(nodes)})"
    collective = words.get("collective", "")
    return collect.GroupTest(test, nodes, " ".join(filter(None, [f"round {number}", test, collective, label])), words)


def launcher(job: Job, via: Reach) -> Launcher:
    """The launcher for tests over several nodes: ``slurm`` for nodes in service, ``mpi`` for others, ``kubernetes``
    with an image.

    Raises UsageError if the site does not support it.
    """
    from rackwright.collect.launchers.mpi import Mpi  # SSH clients, which the gate can do without
    from rackwright.collect.launchers.remote import RemoteHost
    from rackwright.collect.launchers.slurm import SlurmLauncher

    design = job.design
    if via.name == "slurm" and design.site.control.slurm is not None and design.nodes("slurm"):
        controller = design.nodes("slurm")[0]
        host = RemoteHost(controller.name, controller.inband_address, job.access, as_root=True)
        return SlurmLauncher(host, design.site.default_partition)
    if via.name == "mpi":
        return Mpi(job.access, {name: design.node(name).inband_address for name in job.nodes})
    parts = [part for name in job.nodes if (part := design.node(name).accelerator) is not None]
    resources = {schedulers.kubernetes_resource(design, part.vendor, part.architecture) for part in parts}
    if via.name == "kubernetes" and len(resources) == 1:
        return KubernetesLauncher(image(job, via), job.run, via.namespace, resources.pop())
    needs = {"slurm": "a Slurm controller in the site", "kubernetes": "nodes of one kind of accelerators"}
    raise UsageError(
        f"tests cannot be started by {via.name}: it needs {needs.get(via.name, 'to be slurm, mpi or kubernetes')}; "
        "name another way with --via"
    )


def way_to_nodes(job: Job, via: Reach) -> Way | None:
    """The carrier by which the probe reaches single nodes; None for SSH.

    Raises UsageError if the site does not support it.
    """
    from rackwright.collect.launchers.pods import Cluster  # SSH clients, as above

    if via.name == "ssh":
        return None
    if via.name == "slurm":
        return controller(job)
    if via.name == "kubernetes":
        if not any(job.design.node(name).scheduler == "kubernetes" for name in job.nodes):
            raise UsageError(
                f"--via kubernetes: no node of site {job.design.site.site} that was named serves Kubernetes"
            )
        return Cluster(image(job, via), job.run, via.namespace)
    raise UsageError(f"single nodes cannot be reached by {via.name}: name ssh, slurm or kubernetes")


def image(job: Job, via: Reach) -> str:
    """The image of our pods. Raises UsageError if neither the command nor the site names one."""
    kubernetes = job.design.site.control.kubernetes
    name = via.image or (kubernetes.image if kubernetes is not None else None)
    if not name:
        raise UsageError(
            "pods need an image with a shell, cat and chroot that the nodes can pull: give --image, or control.kubernetes.image in the site"
        )
    return name


def controller(job: Job) -> Controller:
    """The machine where srun works. Raises UsageError if the site has no Slurm."""
    from rackwright.collect.launchers.probe import Controller  # SSH clients, as above

    slurm, machines = job.design.site.control.slurm, job.design.nodes("slurm")
    if slurm is None or not machines:
        raise UsageError(f"--via slurm: site {job.design.site.site} has no Slurm controller")
    return Controller(machines[0].name, machines[0].inband_address, job.design.site.default_partition)


def unfit_for_request(job: Job, request: GroupRequest, via: str) -> dict[str, str]:
    """Node of `request` -> why no test can or may start on it.

    For Slurm, busy nodes are not listed: Slurm does not allocate them.
    """
    return unable_nodes(job, sorted({node for groups in request.rounds for nodes in groups for node in nodes}), via)


def unable_nodes(job: Job, names: Sequence[str], via: str) -> dict[str, str]:
    """Nodes of `names` on which `via` can or may start no test over several nodes -> the reason."""
    slurm = _slurm(job)
    if via == "slurm" and slurm is not None:
        return collect.not_served([job.design.node(name) for name in names], slurm)
    return busy(job, names) if names else {}


def _slurm(job: Job) -> ssh_runner.Runner | None:
    controllers = job.design.nodes("slurm")
    return ssh_runner.runner(job.access, controllers[0].inband_address) if controllers else None


def busy(job: Job, names: Sequence[str] = ()) -> dict[str, str]:
    """Node of `job`, or of `names` -> why it must not be put under load."""
    return collect.refused_nodes(
        [job.design.node(name) for name in names or job.nodes], _slurm(job), schedulers.kubectl
    )
