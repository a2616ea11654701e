"""Changes of the rack PDUs, power shelves and CDUs around a machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rackwright.twin.faults.fault import Apply
from rackwright.twin.hardware.state import State


def set_pdu(number: int, **fields: Any) -> Apply:
    """Set fields of `parts.plant.PduReadings` of that rack PDU of every hit machine."""
    return _set_unit("pdus", number, fields)


def set_shelf(number: int, **fields: Any) -> Apply:
    """Set fields of `parts.plant.ShelfReadings` of that power shelf of every hit machine."""
    return _set_unit("shelves", number, fields)


def set_cdu(number: int, **fields: Any) -> Apply:
    """Set fields of `parts.plant.CduReadings` of that CDU of every hit machine."""
    return _set_unit("cdus", number, fields)


def _set_unit(kind: str, number: int, fields: Mapping[str, Any]) -> Apply:
    def apply(state: State, nodes: Sequence[str]) -> State:
        units = dict(getattr(state.plant, kind))
        for node in nodes:
            names = [name for name in state.plant.around.get(node, ()) if name in units]
            if names:
                name = names[number % len(names)]
                units[name] = replace(units[name], **fields)
        return replace(state, plant=replace(state.plant, **{kind: units}))

    return apply
