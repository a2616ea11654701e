"""Faults of one switch of the twin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rackwright.model.design import Design


@dataclass(frozen=True)
class SwitchState:
    """Readings that a fault changes; the defaults are those of a healthy switch."""

    manager_priority: int | None = None
    """Priority of a subnet manager that runs on the switch itself; None: none does, as the site wants it."""
    counters: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Port -> the counters of it that are above 0, by the names of ibqueryerrors."""
    celsius: float = 47.0
    """Of its ASIC. A healthy one: the QM9700 of stanford-rc/ibswinfo issue 28."""
    module_celsius: Mapping[int, float] = field(default_factory=dict)
    """Cage, from 1 -> degrees Celsius of its module, where it is not as warm as the others."""
    dark_supplies: tuple[int, ...] = ()
    """Power supplies without current, from 0."""
    still_fans: tuple[int, ...] = ()
    """Fans that stand still, from 1."""


def healthy(design: Design) -> dict[str, SwitchState]:
    """Every switch of `design`, by name."""
    return {row["device"]: SwitchState() for row in design.devices.iter_rows(named=True) if row["kind"] == "switch"}
