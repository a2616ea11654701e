"""What can be wrong with one switch of the twin."""

from __future__ import annotations

from dataclasses import dataclass

from rackwright.model.design import Design


@dataclass(frozen=True)
class SwitchState:
    """Readings that a fault changes; the defaults are those of a healthy switch."""


def healthy(design: Design) -> dict[str, SwitchState]:
    """Every switch of `design`, by name."""
    return {row["device"]: SwitchState() for row in design.devices.iter_rows(named=True) if row["kind"] == "switch"}
