"""Puts nodes of a job under load: those that take no jobs; the others are left alone, and it is said why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from rackwright import collect
from rackwright.base import file_lock
from rackwright.base.errors import UsageError
from rackwright.collect import rounds_file
from rackwright.collect.launchers import probe
from rackwright.collect.launchers.kubernetes import Kubernetes
from rackwright.collect.launchers.launcher import Launcher
from rackwright.collect.launchers.mpi import Mpi
from rackwright.collect.launchers.pods import Cluster
from rackwright.collect.launchers.remote import Host
from rackwright.collect.launchers.slurm import Slurm
from rackwright.collect.launchers.way import Way
from rackwright.flow import schedulers, ssh_runner
from rackwright.flow.job import Job, Step
from rackwright.model.check import NodeEvidence

LOADED = "another run puts it under load: wait until that one has ended"
FEW = 4
"""Nodes of a test that are told by name."""


@dataclass(frozen=True)
class Loaded:
    """What a burn-in came to."""

    seen: Mapping[str, NodeEvidence]
    refused: Mapping[str, str]
    """By node: why it was left alone."""


@dataclass(frozen=True)
class Via:
    """By what nodes are reached, as it is asked for."""

    name: str
    """``ssh``, ``slurm``, ``mpi`` or ``kubernetes``."""
    image: str = ""
    """For kubernetes: any image with a shell, ``cat`` and ``chroot``; empty: that of the site."""
    namespace: str = "default"


SSH = Via("ssh")


def burn_in(job: Job, step: Step, burning: collect.Burning, via: Via = SSH, *, unscheduled: bool = False) -> Loaded:
    """Load the nodes of `job` that take no jobs; `unscheduled`: nobody is asked, because they take none yet."""
    by = way(job, via)
    with alone(job, job.candidates) as loaded:
        return _burn_in(job, step, burning, by, loaded if unscheduled else busy(job) | loaded)


@contextmanager
def alone(job: Job, names: Sequence[str]) -> Iterator[dict[str, str]]:
    """Hold `names` against other loads from this workspace; yields, by node, why it is not to be had: two loads spoil each other."""
    with file_lock.each(job.workspace.folder("") / "load.lock", names) as others:
        yield {name: LOADED for name in names if name in others}


def _burn_in(job: Job, step: Step, burning: collect.Burning, by: Way | None, refused: Mapping[str, str]) -> Loaded:
    nodes = [name for name in job.nodes if name not in refused]
    store = collect.Store(job.workspace.folder("evidence"))

    def event(kind: str, data: dict[str, object]) -> None:
        asked = data.get("asked")
        if kind == "host" and isinstance(asked, list):
            for test in asked:
                job.watch.advance(f"{data['node']} {test}")
        elif kind == "kept":
            step.answer(kind, data)

    if not nodes or not collect.burn_plan(job.design, nodes, burning).asks:
        return Loaded({}, refused)
    seen = collect.burn_in(job.design, nodes, job.access, store, burning, event, asked_by=job.run, by=by)
    step.nodes({name: ("; ".join(one.errors.values()), f"{len(one.records)} tests") for name, one in seen.items()})
    step.nodes({name: (why, "") for name, why in refused.items()})
    return Loaded(seen, refused)


@dataclass(frozen=True)
class Asked:
    """Tests over several nodes, as they are asked for."""

    tests: tuple[str, ...]
    """Ids of collectors of scope ``group``; each is run on every group."""
    rounds: Sequence[rounds_file.Round]
    at_once: int
    """Nodes that are under load at the same time."""
    words: Mapping[str, str] = field(default_factory=dict)
    """For the braces of commands that the design does not fill (``collective``, ``shared``)."""


def in_rounds(job: Job, asked: Asked, way: Launcher, refused: Mapping[str, str]) -> Loaded:
    """Every test on every group, round after round; groups with a node of `refused`, or that another run loads, are left alone."""
    with alone(job, sorted({node for groups in asked.rounds for nodes in groups for node in nodes})) as loaded:
        return _in_rounds(job, asked, way, {**refused, **loaded})


def _in_rounds(job: Job, asked: Asked, way: Launcher, refused: Mapping[str, str]) -> Loaded:
    rounds = [[nodes for nodes in groups if not refused.keys() & set(nodes)] for groups in asked.rounds]
    members = sorted({node for groups in rounds for nodes in groups for node in nodes})
    if not members:
        return Loaded({}, refused)
    store = collect.Store(job.workspace.folder("evidence"))
    biggest = max(len(nodes) for groups in rounds for nodes in groups)
    with collect.rounds(
        job.design, members, asked.tests, way, store,
        at_once=max(1, asked.at_once // biggest), on_event=job.watch.advance, asked_by=job.run,
    ) as running:  # fmt: skip
        for number, groups in enumerate(rounds, start=1):
            for test in asked.tests:
                running.round([_test(test, nodes, number, asked.words) for nodes in groups])
    return Loaded(collect.load(store, running.run), refused)


def _test(test: str, nodes: tuple[str, ...], number: int, words: Mapping[str, str]) -> collect.GroupTest:
    shown = "+".join(nodes) if len(nodes) <= FEW else f"{nodes[0]}..{nodes[-1]} ({len(nodes)})"
    said = words.get("collective", "")
    return collect.GroupTest(test, nodes, " ".join(filter(None, [f"round {number}", test, said, shown])), words)


def launcher(job: Job, via: Via) -> Launcher:
    """The way to start tests over several nodes: ``slurm`` for nodes in service, ``mpi`` for others, ``kubernetes`` with an image.

    UsageError when the site has no such way.
    """
    design = job.design
    if via.name == "slurm" and design.site.control.slurm is not None and design.nodes("slurm"):
        controller = design.nodes("slurm")[0]
        host = Host(controller.name, controller.inband_address, job.access)
        return Slurm(host, design.site.control.slurm.partition)
    if via.name == "mpi":
        return Mpi(job.access, {name: design.node(name).inband_address for name in job.nodes})
    vendors = {one.accelerator.vendor for name in job.nodes if (one := design.node(name)).accelerator is not None}
    if via.name == "kubernetes" and len(vendors) == 1:
        return Kubernetes(image(job, via), job.run, via.namespace, vendors.pop())
    needs = {"slurm": "a Slurm controller in the site", "kubernetes": "nodes of one accelerator vendor"}
    raise UsageError(
        f"tests cannot be started by {via.name}: it needs {needs.get(via.name, 'to be slurm, mpi or kubernetes')}; "
        "name another way with --via"
    )


def way(job: Job, via: Via) -> Way | None:
    """The way of single nodes to the probe; None is SSH. UsageError when the site has no such way."""
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


def image(job: Job, via: Via) -> str:
    """The image of our pods; UsageError when neither the command nor the site names one."""
    kubernetes = job.design.site.control.kubernetes
    found = via.image or (kubernetes.image if kubernetes is not None else None)
    if not found:
        raise UsageError(
            "pods need an image with a shell, cat and chroot that the nodes can pull: give --image, or control.kubernetes.image in the site"
        )
    return found


def controller(job: Job) -> probe.Controller:
    """Where srun works; UsageError when the site has no Slurm."""
    slurm, machines = job.design.site.control.slurm, job.design.nodes("slurm")
    if slurm is None or not machines:
        raise UsageError(f"--via slurm: site {job.design.site.site} has no Slurm controller")
    return probe.Controller(machines[0].name, machines[0].inband_address, slurm.partition)


def unfit(job: Job, asked: Asked, via: str) -> dict[str, str]:
    """By node of `asked`: why a test cannot be started on it, or must not be. Slurm itself gives no node that is busy."""
    return unable(job, sorted({node for groups in asked.rounds for nodes in groups for node in nodes}), via)


def unable(job: Job, names: Sequence[str], via: str) -> dict[str, str]:
    """The same by name: of `names`, those on which `via` starts no test over several nodes, or must not."""
    slurm = _slurm(job)
    if via == "slurm" and slurm is not None:
        return collect.not_served([job.design.node(name) for name in names], slurm)
    return busy(job, names) if names else {}


def _slurm(job: Job) -> ssh_runner.Runner | None:
    controllers = job.design.nodes("slurm")
    return ssh_runner.runner(job.access, controllers[0].inband_address) if controllers else None


def busy(job: Job, names: Sequence[str] = ()) -> dict[str, str]:
    """By node of `job`, or of `names`: why it must not be put under load."""
    return collect.refused([job.design.node(name) for name in names or job.nodes], _slurm(job), schedulers.kubectl)
