"""The ways to play a turn: Ansible here for all hosts (push), or on every host for itself, sent to it (worker) or fetched by it (pull)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from rackwright.base.workspace import Workspace
from rackwright.model.inventory import Inventory, Recap
from rackwright.onboard import runner, worker
from rackwright.onboard.options import OnboardOptions
from rackwright.onboard.play_results import OnEvent
from rackwright.onboard.rollout import Play, Turn


@contextmanager
def player(inventory: Inventory, workspace: Workspace, options: OnboardOptions, on_event: OnEvent) -> Iterator[Play]:
    """How turns are played under `options`, until the block ends. OutsideError where nodes cannot ask for their orders."""

    def push(turn: Turn) -> Recap:
        return runner.run_playbook(
            speaking(inventory_of(turn, inventory, options)),
            workspace,
            relabel_events(turn, on_event),
            check=options.check,
            diff=options.diff,
        )

    def by_worker(turn: Turn) -> Recap:
        if turn.reboot:  # a play that runs on the node itself would not come back from its reboot
            return push(turn)
        return worker.run(
            inventory_of(turn, inventory, options), workspace, relabel_events(turn, on_event),
            check=options.check, diff=options.diff,
        )  # fmt: skip

    if options.listening is None:
        yield push if options.mode == "push" else by_worker
        return
    from rackwright.onboard.pull.pull_player import serving_player  # aiohttp and keys, for this mode alone

    with serving_player(workspace, options.listening, enrols=options.enrol) as pulling:

        def pull(turn: Turn) -> Recap:
            requested = inventory_of(
                replace(turn, reboot=frozenset()), inventory, options
            )  # the agent reboots, no role
            words = " ".join(runner.playbook_arguments(options.check, options.diff))
            return pulling.play(
                requested, relabel_events(turn, on_event), words, turn.reboot, options.reboot_wait_seconds
            )

        yield pull


def inventory_of(turn: Turn, inventory: Inventory, options: OnboardOptions) -> Inventory:
    """What the hosts of this turn are to have, and what is true of this turn alone.

    Without the other hosts: Ansible takes 9 ms to read each of them, in every wave (2,000 hosts, 18 s; measured 2026-11-21).
    """
    mine = set(turn.hosts)
    variables = {
        **inventory.variables,
        **options.variables(),
        "rackwright_reboot": "never",
        "rackwright_running_jobs": [],
    }
    hosts = {
        name: {**host_variables, **_turn_variables(name, turn)}
        for name, host_variables in inventory.hosts.items()
        if name in mine
    }
    groups = {group: [name for name in names if name in mine] for group, names in inventory.groups.items()}
    groups = {group: names for group, names in groups.items() if names}
    return inventory.model_copy(update={"hosts": hosts, "groups": groups, "variables": variables})


def speaking(inventory: Inventory) -> Inventory:
    """One host of each kind speaks for all in the play that refuses: their variables differ in names and addresses alone."""
    first: dict[tuple[object, ...], str] = {}
    for name, host_variables in inventory.hosts.items():
        kind = (
            host_variables.get("rackwright_pool"),
            host_variables.get("rackwright_os"),
            *host_variables.get("rackwright_roles", ()),
        )
        first.setdefault(kind, name)
    chosen = set(first.values())
    hosts = {
        name: host_variables if name in chosen else {**host_variables, "rackwright_speaks": False}
        for name, host_variables in inventory.hosts.items()
    }
    return inventory.model_copy(update={"hosts": hosts})


def _turn_variables(name: str, turn: Turn) -> dict[str, Any]:
    allowed: dict[str, Any] = {"rackwright_reboot": "allowed"} if name in turn.reboot else {}
    allowed |= {"rackwright_wipe_scratch": True} if name in turn.wipe else {}
    return {**allowed, **({"rackwright_running_jobs": list(turn.jobs[name])} if name in turn.jobs else {})}


def relabel_events(turn: Turn, on_event: OnEvent) -> OnEvent:
    """Acts that are done a second time are no progress towards the number that was known from the plan."""
    if not turn.alone:
        return on_event

    def again(kind: str, data: dict[str, Any]) -> None:
        on_event(kind, {**data, "act": False} if kind == "onboard.task" else data)

    return again
