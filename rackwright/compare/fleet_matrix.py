"""The readings of a whole fleet as columns of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rackwright.compare.node_columns import Names, Readings
from rackwright.model.check import Expectation

Peers = Sequence[tuple[Expectation, Readings]]
Ints = NDArray[np.intp]
Floats = NDArray[np.float64]
NOWHERE = -1


@dataclass(frozen=True)
class Flat:
    """Readings of all nodes, node after node."""

    value: Floats
    """Not a number: no reading."""
    node: Ints
    """Index of the node in the fleet."""
    slot: Ints
    """Index in `slots`."""
    rail: Ints
    """Index in `rails`, or `NOWHERE`."""
    slots: Sequence[tuple[str, str]]
    """Pairs of SKU and slot."""
    rails: Sequence[str]


@dataclass(frozen=True)
class Kind:
    """The places of one kind (``rack``)."""

    name: str
    places: Sequence[str]
    of_node: Ints
    """By node: index in `places`, or `NOWHERE`."""


def sku(expectation: Expectation) -> str:
    """SKU of the accelerator, or of the server without one: parts of nodes with the same SKU are comparable."""
    return (expectation.node.accelerator or expectation.node.server).sku


def flat_readings(fleet: Peers) -> Flat:
    """All readings of `fleet`. Names are looked up once for every layout of a node, which equal nodes share."""
    slots: dict[tuple[str, str], int] = {}
    rails: dict[str, int] = {"": NOWHERE}
    lines_by_layout: dict[tuple[str, Names, Names], tuple[Ints, Ints]] = {}
    lines: list[tuple[Ints, Ints]] = []
    for expectation, readings in fleet:
        layout = sku(expectation), readings.slots, readings.rails
        line = lines_by_layout.get(layout)
        if line is None:
            names = readings.rails or ("",) * len(readings.slots)
            line = lines_by_layout[layout] = (
                _ints([slots.setdefault((layout[0], name), len(slots)) for name in readings.slots]),
                _ints([rails.setdefault(name, len(rails) - 1) for name in names]),
            )
        lines.append(line)
    return Flat(
        value=np.frombuffer(b"".join([readings.values for _, readings in fleet])),
        node=np.repeat(np.arange(len(fleet)), [len(slot_numbers) for slot_numbers, _ in lines]),
        slot=np.concatenate([slot_numbers for slot_numbers, _ in lines]),
        rail=np.concatenate([slot_numbers for _, slot_numbers in lines]),
        slots=list(slots),
        rails=list(rails)[1:],
    )


def kinds(fleet: Peers) -> list[Kind]:
    """The places of every node of `fleet`, by kind.

    Nodes of one rack share the object `places`, so each is looked up once.
    """
    at: dict[int, int] = {}
    places: list[Mapping[str, str]] = []
    rows: list[int] = []
    for expectation, _ in fleet:
        row = at.get(id(expectation.places))
        if row is None:
            row = at[id(expectation.places)] = len(places)
            places.append(expectation.places)
        rows.append(row)
    names: dict[str, dict[str, int]] = {}
    for place in places:
        for kind, name in place.items():
            numbers = names.setdefault(kind, {})
            numbers.setdefault(name, len(numbers))
    return [
        Kind(
            kind,
            list(numbers),
            _ints([numbers[place[kind]] if kind in place else NOWHERE for place in places])[_ints(rows)],
        )
        for kind, numbers in names.items()
    ]


def _ints(values: list[int]) -> Ints:
    return np.array(values, dtype=np.intp)
