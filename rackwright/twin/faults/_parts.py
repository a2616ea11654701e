"""Changes of the main board, the operating system and the chassis, as faults need them: fields in, an `apply` out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from rackwright.twin.faults import on_machines
from rackwright.twin.hardware.parts.drive import Drive
from rackwright.twin.hardware.parts.memory import Dimm
from rackwright.twin.hardware.state import Machine, State

Apply = Callable[[State, Sequence[str]], State]


def system(**change: Any) -> Apply:
    """An `apply` that sets fields of `parts.system.System` on every hit machine."""
    return on_machines(lambda machine: replace(machine, system=replace(machine.system, **change)))


def system_of(change: Callable[[Machine], dict[str, Any]]) -> Apply:
    """An `apply` that sets fields of `parts.system.System` to what follows from the machine that is hit."""
    return on_machines(lambda machine: replace(machine, system=replace(machine.system, **change(machine))))


def chassis(**change: Any) -> Apply:
    """An `apply` that sets fields of `parts.chassis.Chassis` on every hit machine."""
    return on_machines(lambda machine: replace(machine, chassis=replace(machine.chassis, **change)))


def slot(index: int, change: Callable[[Dimm], Dimm]) -> Apply:
    """An `apply` that changes the memory module in that slot, counted on from the first again where there are fewer."""

    def changed(machine: Machine) -> Machine:
        hit = index % max(len(machine.system.dimms), 1)
        dimms = tuple(change(one) if at == hit else one for at, one in enumerate(machine.system.dimms))
        return replace(machine, system=replace(machine.system, dimms=dimms))

    return on_machines(changed)


def drive(index: int, change: Callable[[Drive], Drive]) -> Apply:
    """An `apply` that changes the drive of that number, counted on from the first again where there are fewer."""

    def changed(machine: Machine) -> Machine:
        hit = index % max(len(machine.system.drives), 1)
        drives = tuple(change(one) if one.index == hit else one for one in machine.system.drives)
        return replace(machine, system=replace(machine.system, drives=drives))

    return on_machines(changed)


def moved(package: str, version: str) -> Apply:
    """An `apply` that leaves a package at another version."""
    return on_machines(
        lambda machine: replace(machine, package_versions={**machine.package_versions, package: version})
    )
