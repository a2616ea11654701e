"""Changes of the rack PDUs and CDUs around the machines that a fault hits: which of them, and fields in; an `apply` out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from rackwright.twin.hardware.state import State

Apply = Callable[[State, Sequence[str]], State]


def pdu(number: int, **change: Any) -> Apply:
    """An `apply` that sets fields of `parts.plant.Pdu` on that rack PDU of every hit machine, counted on from the first again."""
    return _on("pdus", number, change)


def cdu(number: int, **change: Any) -> Apply:
    """An `apply` that sets fields of `parts.plant.Cdu` on that CDU of every hit machine, counted on from the first again."""
    return _on("cdus", number, change)


def _on(kind: str, number: int, change: dict[str, Any]) -> Apply:
    def changed(state: State, nodes: Sequence[str]) -> State:
        units = dict(getattr(state.plant, kind))
        for node in nodes:
            own = [name for name in state.plant.around.get(node, ()) if name in units]
            if own:
                name = own[number % len(own)]
                units[name] = replace(units[name], **change)
        return replace(state, plant=replace(state.plant, **{kind: units}))

    return changed
