"""Changes of a machine: its main board, its operating system, its chassis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from rackwright.twin.faults.fault import Apply
from rackwright.twin.hardware.state import State, TwinMachine

Fields = Callable[[TwinMachine], dict[str, Any]]


def change_machine(change: Callable[[TwinMachine], TwinMachine]) -> Apply:
    """Change every hit machine in the same way."""

    def apply(state: State, nodes: Sequence[str]) -> State:
        for node in nodes:
            state = state.with_machine(node, change)
        return state

    return apply


def set_machine(**fields: Any) -> Apply:
    """Set fields of `TwinMachine`."""
    return change_machine(lambda machine: replace(machine, **fields))


def set_package(package: str, version: str) -> Apply:
    """Install a package at another version."""
    return change_machine(
        lambda machine: replace(machine, package_versions={**machine.package_versions, package: version})
    )


def set_system(**fields: Any) -> Apply:
    """Set fields of `parts.system.SystemReadings`."""
    return set_system_from(lambda _: fields)


def set_system_from(fields: Fields) -> Apply:
    """Set fields of `parts.system.SystemReadings`, computed from the machine."""
    return change_machine(lambda machine: replace(machine, system=replace(machine.system, **fields(machine))))


def set_chassis(**fields: Any) -> Apply:
    """Set fields of `parts.chassis.ChassisReadings`."""
    return set_chassis_from(lambda _: fields)


def set_chassis_from(fields: Fields) -> Apply:
    """Set fields of `parts.chassis.ChassisReadings`, computed from the machine."""
    return change_machine(lambda machine: replace(machine, chassis=replace(machine.chassis, **fields(machine))))


def set_dimm(slot: int, **fields: Any) -> Apply:
    """Set fields of the memory module in that slot (`parts.memory.DimmSlot`)."""
    return set_system_from(lambda machine: {"dimms": _replace_at(machine.system.dimms, slot, fields)})


def set_drive(number: int, **fields: Any) -> Apply:
    """Set fields of the drive of that number (`parts.drive.DriveState`)."""
    return set_system_from(lambda machine: {"drives": _replace_at(machine.system.drives, number, fields)})


def _replace_at(parts: Sequence[Any], number: int, fields: dict[str, Any]) -> tuple[Any, ...]:
    hit = number % max(len(parts), 1)
    return tuple(replace(part, **fields) if index == hit else part for index, part in enumerate(parts))
