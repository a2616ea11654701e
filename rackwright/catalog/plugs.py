"""Which cables a switch can take: rate, what they carry, plug."""

from __future__ import annotations

from collections.abc import Iterable

from rackwright.model.sku import Cable, Switch

LAST = "active-copper"
"""Taken where nothing else fits: published reference designs go from passive copper straight to transceivers."""


def fitting(cables: Iterable[Cable], gbps: int, switch: Switch | None = None) -> list[Cable]:
    """Cables of `gbps` that `switch` can take: those of its own cage before others, each by reach, the shortest first.

    Active copper comes last. Splitters are left out: a link has one far end. Without a switch, whatever carries
    InfiniBand or Ethernet fits.
    """
    form = _form(switch, gbps) if switch else ""
    fits = [cable for cable in cables if cable.gbps == gbps and cable.splits == 1 and _cable_fits_switch(cable, switch)]
    return sorted(
        fits, key=lambda cable: (bool(form) and cable.form != form, cable.medium == LAST, cable.max_meters, cable.sku)
    )


def _cable_fits_switch(cable: Cable, switch: Switch | None) -> bool:
    if switch is None:
        return cable.transport != ["nvlink"]
    return switch.transport in (cable.transport or ("infiniband", "ethernet"))


def _form(switch: Switch, gbps: int) -> str:
    groups = [switch.ports, *([switch.uplinks] if switch.uplinks else [])]
    return next((group.form for group in groups if group.gbps == gbps), switch.ports.form)
