"""Activation of firmware of a simulated machine: restarts and power cycles."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from rackwright.model.resource import Activation
from rackwright.twin.hardware.state import TwinMachine

RESTART_ANSWERS = 2
"""Requests that a BMC refuses while it restarts."""


def activated(machine: TwinMachine, kinds: Collection[Activation]) -> TwinMachine:
    """The machine with the staged versions of `kinds` in force."""
    state = machine.firmware
    due = {name: entry for name, entry in state.staged.items() if entry.activate in kinds}
    if not due:
        return machine
    fields = {f"{entry.of}_version": entry.version for entry in due.values() if entry.of != "other"}
    firmware = replace(
        state,
        versions={**state.versions, **{name: entry.version for name, entry in due.items() if entry.of == "other"}},
        staged={name: entry for name, entry in state.staged.items() if name not in due},
        broken=tuple(name for name in state.broken if name not in due),
    )
    return replace(machine, firmware=firmware, **fields)  # type: ignore[arg-type]


def power_cycled(machine: TwinMachine) -> TwinMachine:
    """The machine after its power was taken away and given back, by its BMC or by hand: it is off, and its BMC starts."""
    return replace(bmc_restarted(activated(machine, {"host", "power-cycle"})), power_state="Off")


def bmc_restarted(machine: TwinMachine) -> TwinMachine:
    """The machine after a restart of its BMC, which forgets its tasks and is busy for a while."""
    after = activated(machine, {"bmc"})
    busy = after.trouble.busy + RESTART_ANSWERS
    return replace(after, firmware=replace(after.firmware, tasks=()), trouble=replace(after.trouble, busy=busy))
