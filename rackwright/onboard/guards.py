"""The guards that are consulted before a node is disturbed: Slurm on its controller, a command of the site, or none."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence

from rackwright.base.errors import OutsideError
from rackwright.model.design import Design, Node
from rackwright.onboard.drain import FormerSlurm, Guard, Guards, HookGuard, InTurn, Nobody, Note, Run, SlurmGuard
from rackwright.onboard.waves import NodePlace

Reach = Callable[[str], Run]
"""From the address of a host to a way to run commands on it."""
HOOK_SECONDS = 3600
"""An eviction waits for pods to end by their own grace periods and budgets; longer is a hook that hangs."""


def places(design: Design, nodes: Sequence[str]) -> list[NodePlace]:
    """Where the nodes of a run stand, in the order of the design."""
    names = set(nodes)
    return [_place(node) for node in design.nodes() if node.name in names]


def guard(design: Design, nodes: Sequence[str], reach: Reach, hook: Sequence[str], note: Note) -> Guard:
    """The guard of `nodes`. It contacts nothing yet; `note` receives what the operator should know about later answers."""
    slurm: Guard = Nobody()
    hook_guard: Guard = HookGuard(hook, _run_here)
    controllers = [node.inband_address for node in design.nodes("slurm")]
    if controllers:
        run = _first_that_answers([reach(address) for address in controllers])
        slurm, hook_guard = SlurmGuard(run, note), InTurn(FormerSlurm(run, note), hook_guard)
    by_scheduler = {"slurm": slurm, "": Nobody()}
    names = set(nodes)
    return Guards(
        {node.name: by_scheduler.get(_scheduler(node), hook_guard) for node in design.nodes() if node.name in names}
    )


def _place(node: Node) -> NodePlace:
    control = node.role != "accelerator"
    return NodePlace(node.name, control, node.pool, node.server.sku, node.rack, node.scalable_unit)


def _scheduler(node: Node) -> str:
    """Control servers serve the scheduler and run no jobs of it."""
    return node.scheduler if node.role == "accelerator" else ""


def _first_that_answers(runs: Sequence[Run]) -> Run:
    """Any controller answers for all: if one does not answer, the next is tried."""

    def run(argv: Sequence[str]) -> tuple[int, str, str]:
        for attempt in runs[:-1]:
            try:
                return attempt(argv)
            except OutsideError:
                continue
        return runs[-1](argv)

    return run


def _run_here(argv: Sequence[str]) -> tuple[int, str, str]:
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=HOOK_SECONDS, check=False)
    except OSError as error:
        return 1, "", f"{argv[0]}: {error.strerror}"
    except subprocess.TimeoutExpired:
        return 1, "", f"{argv[0]} did not end within {HOOK_SECONDS} s"
    return done.returncode, done.stdout, done.stderr
