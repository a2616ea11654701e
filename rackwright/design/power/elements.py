"""The outage that the loss of an element of the power tree means, by the kind and name of the element.

Unknown names raise `KeyError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from rackwright.design.power import names
from rackwright.design.power.block import Flags, Ints
from rackwright.design.power.outage import Outage
from rackwright.design.power.survey import Survey


def _feed(survey: Survey, parts: list[str]) -> Outage:
    return Outage(feeds=frozenset(_index(survey.grid.feeds, part) for part in parts))


def _ups(survey: Survey, parts: list[str]) -> Outage:
    feed_of_module = {names.ups(word, number + 1): feed for feed, word in enumerate(survey.grid.feeds)
             for number in range(survey.limits.modules)}  # fmt: skip
    lost = [feed_of_module[part] for part in dict.fromkeys(parts)]
    return Outage(ups={feed: lost.count(feed) for feed in lost})


def _busway(survey: Survey, parts: list[str]) -> Outage:
    if not survey.power.busway:
        raise KeyError(parts[0])
    grid = survey.grid
    busways = {names.busway(hall, number, feed): (row, at) for row, (hall, number) in enumerate(grid.rows)
             for at, feed in enumerate(grid.feeds)}  # fmt: skip
    return Outage(busways=frozenset(busways[part] for part in parts))


def _circuit(survey: Survey, parts: list[str]) -> Outage:
    grid = survey.grid
    indices = [_index(grid.circuits, part) for part in parts]
    rack = _one_rack(grid.first_circuit, indices, parts)
    inside = [at - int(grid.first_circuit[rack]) for at in indices]
    return Outage(rack=rack, supplies=np.isin(grid.kinds[grid.kind[rack]].block.circuit, inside))


def _pdu(survey: Survey, parts: list[str]) -> Outage:
    ending = names.pdu("")
    if not survey.power.rack_pdu or not all(part.endswith(ending) for part in parts):
        raise KeyError(parts[0])
    return _circuit(survey, [part.removesuffix(ending) for part in parts])


def _shelf(survey: Survey, parts: list[str]) -> Outage:
    return _supplies(survey, parts, [device for device, _ in _supply_rows(survey)], shelf=True)


def _psu(survey: Survey, parts: list[str]) -> Outage:
    return _supplies(survey, parts, [names.supply(device, psu) for device, psu in _supply_rows(survey)], shelf=False)


def _supply_rows(survey: Survey) -> list[tuple[str, int]]:
    return list(survey.grid.supplies.select("device", "psu").iter_rows())


def _supplies(survey: Survey, parts: list[str], labels: list[str], *, shelf: bool) -> Outage:
    grid, requested = survey.grid, set(parts)
    indices = [at for at, name in enumerate(labels) if name in requested]
    missing = [part for part in parts if part not in {labels[at] for at in indices}]
    if missing:
        raise KeyError(missing[0])
    rack = _one_rack(grid.first_supply, indices, parts)
    kind = grid.kinds[grid.kind[rack]]
    lost: Flags = np.isin(np.arange(len(kind.shelf)), [at - int(grid.first_supply[rack]) for at in indices])
    if shelf and not kind.shelf[lost].all():
        raise KeyError(parts[0])
    return Outage(rack=rack, supplies=lost)


OUTAGES: dict[str, Callable[[Survey, list[str]], Outage]] = {
    "feed": _feed,
    "ups": _ups,
    "busway": _busway,
    "circuit": _circuit,
    "pdu": _pdu,
    "shelf": _shelf,
    "psu": _psu,
}
"""For each kind, the outage of the elements with these names."""


def _index(labels: Iterable[str], name: str) -> int:
    for at, label in enumerate(labels):
        if label == name:
            return at
    raise KeyError(name)


def _one_rack(first: Ints, indices: list[int], parts: list[str]) -> int:
    racks = {int(np.searchsorted(first, at, side="right")) - 1 for at in indices}
    if len(racks) != 1:
        raise KeyError("+".join(parts))
    return racks.pop()
