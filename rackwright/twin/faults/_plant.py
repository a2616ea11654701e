"""Changes of the rack PDUs and CDUs around the machines that a fault hits: which of them, and fields in; an `apply` out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from rackwright.twin.state import State

Apply = Callable[[State, Sequence[str]], State]


def pdu(number: int, **change: Any) -> Apply:
    """An `apply` that sets fields of `parts.plant.Pdu` on that rack PDU of every hit machine, counted on from the first again."""

    def changed(state: State, nodes: Sequence[str]) -> State:
        plant = state.plant
        for node in nodes:
            own = [name for name in plant.around.get(node, ()) if name in plant.pdus]
            if own:
                name = own[number % len(own)]
                plant = replace(plant, pdus={**plant.pdus, name: replace(plant.pdus[name], **change)})
        return replace(state, plant=plant)

    return changed


def cdu(number: int, **change: Any) -> Apply:
    """An `apply` that sets fields of `parts.plant.Cdu` on that CDU of every hit machine, counted on from the first again."""

    def changed(state: State, nodes: Sequence[str]) -> State:
        plant = state.plant
        for node in nodes:
            own = [name for name in plant.around.get(node, ()) if name in plant.cdus]
            if own:
                name = own[number % len(own)]
                plant = replace(plant, cdus={**plant.cdus, name: replace(plant.cdus[name], **change)})
        return replace(state, plant=plant)

    return changed
