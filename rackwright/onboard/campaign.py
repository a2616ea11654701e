"""One onboarding from its first refusal to its last wave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rackwright.base import content
from rackwright.base.workspace import Workspace
from rackwright.model.inventory import HostRecap, Inventory, Recap
from rackwright.onboard import runner
from rackwright.onboard.drain import Guard
from rackwright.onboard.options import OnboardOptions
from rackwright.onboard.play_results import OnEvent
from rackwright.onboard.players import inventory_of, player
from rackwright.onboard.rollout import Turn, roll_out
from rackwright.onboard.waves import NodePlace, Wave, waves


def bring_hosts(
    inventory: Inventory,
    workspace: Workspace,
    places: Sequence[NodePlace],
    options: OnboardOptions,
    guard: Guard,
    on_event: OnEvent,
) -> Recap:
    """Bring every host of `inventory` to what it says, wave by wave. Events: see `Tally` and `roll_out`.

    A run of several waves first looks at one host of each kind, on this machine alone: what cannot work for it is
    refused before any host of any wave is touched.
    """
    cut = waves(places, options.wave_size, canary=options.canary, apart=options.mode != "push")
    if len(cut) > 1:
        looked_at = Turn(tuple(kinds(places)))
        refused = runner.refusals(inventory_of(looked_at, inventory, options), workspace)
        if refused is not None:
            return _untouched_recap(refused, cut)
    with player(inventory, workspace, options, on_event) as play:
        return roll_out(cut, play, options, guard, on_event)


def count_acts() -> int:
    """How many acts every host has, for a bar of progress."""
    return len(runner.playbook_shape(content.folder("roles", "site.yml"))[1])


def kinds(places: Sequence[NodePlace]) -> list[str]:
    """One host of each kind: the variables of hosts of one pool and server differ in names and addresses alone."""
    first: dict[NodePlace, str] = {}
    for place in places:
        first.setdefault(replace(place, node="", rack="", scalable_unit=0), place.node)
    return list(first.values())


def _untouched_recap(refused: Recap, cut: Sequence[Wave]) -> Recap:
    """All hosts of the run, none of which was touched."""
    failures = {name: host.first_failure for name, host in refused.hosts.items() if host.first_failure}
    why = f"not touched: what {', '.join(failures)} was refused for may hold here"
    hosts = {
        name: HostRecap(ok=0, changed=0, unreachable=0, failed=1, first_failure=failures.get(name, why), attempts=0)
        for wave in cut
        for name in wave.nodes
    }
    return refused.model_copy(update={"hosts": hosts, "stopped": "refused before any host was touched"})
