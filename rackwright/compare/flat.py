"""The readings of a whole fleet as columns of numbers. In: nodes with readings. Out: a `Flat`, and where its nodes stand. Pure.

Cut from `standing` because here is all that walks over nodes one by one; what is compared after that are columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rackwright.compare.taken import Names, Readings
from rackwright.model.check import Expectation

Peers = Sequence[tuple[Expectation, Readings]]
Ints = NDArray[np.intp]
Floats = NDArray[np.float64]
NOWHERE = -1


@dataclass(frozen=True)
class Flat:
    """Readings, those of one node after those of another."""

    value: Floats
    """Not a number: no reading."""
    node: Ints
    """Which node of the fleet."""
    slot: Ints
    """Which of `slots`."""
    rail: Ints
    """Which of `rails`, or `NOWHERE`."""
    slots: Sequence[tuple[str, str]]
    """SKU and slot."""
    rails: Sequence[str]


@dataclass(frozen=True)
class Kind:
    """The places of one kind (``rack``)."""

    name: str
    places: Sequence[str]
    of_node: Ints
    """Which of `places`, or `NOWHERE`."""


def sku(expectation: Expectation) -> str:
    """Parts of nodes are alike when this is."""
    return (expectation.node.accelerator or expectation.node.server).sku


def flat(fleet: Peers) -> Flat:
    """All readings of `fleet`. Names are looked up once for every tuple of them, which equal nodes share."""
    slots: dict[tuple[str, str], int] = {}
    rails: dict[str, int] = {"": NOWHERE}
    known: dict[tuple[str, Names], Ints] = {}
    lines: dict[Names, Ints] = {}
    own_slots, own_rails = [], []
    for expectation, own in fleet:
        key = sku(expectation), own.slots
        if key not in known:
            known[key] = _ints([slots.setdefault((key[0], name), len(slots)) for name in own.slots])
        names = own.rails or ("",) * len(own.slots)
        if names not in lines:
            lines[names] = _ints([rails.setdefault(name, len(rails) - 1) for name in names])
        own_slots.append(known[key])
        own_rails.append(lines[names])
    return Flat(
        value=np.frombuffer(b"".join(own.values for _, own in fleet)),
        node=np.repeat(np.arange(len(fleet)), [len(one) for one in own_slots]),
        slot=np.concatenate(own_slots),
        rail=np.concatenate(own_rails),
        slots=list(slots),
        rails=list(rails)[1:],
    )


def kinds(fleet: Peers) -> list[Kind]:
    """Where every node of `fleet` stands. Nodes of one rack share the object that says it, so that each is looked up once."""
    names: dict[str, dict[str, int]] = {}
    rows: dict[int, int] = {}
    seen: list[Mapping[str, str]] = []
    for expectation, _ in fleet:
        if rows.setdefault(id(expectation.places), len(seen)) == len(seen):
            seen.append(expectation.places)
            for kind, name in expectation.places.items():
                own = names.setdefault(kind, {})
                own.setdefault(name, len(own))
    row = _ints([rows[id(expectation.places)] for expectation, _ in fleet])
    return [
        Kind(kind, list(own), _ints([own[one[kind]] if kind in one else NOWHERE for one in seen])[row])
        for kind, own in names.items()
    ]


def _ints(values: list[int]) -> Ints:
    return np.array(values, dtype=np.intp)
