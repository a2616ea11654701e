"""An element of the power tree by its kind and name.

Unknown names raise `KeyError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from rackwright.design.power import names
from rackwright.design.power.block import Flags, Ints
from rackwright.design.power.outage import Outage
from rackwright.design.power.survey import Survey


def _feed(whole: Survey, parts: list[str]) -> Outage:
    return Outage(feeds=frozenset(_index(whole.grid.feeds, part) for part in parts))


def _ups(whole: Survey, parts: list[str]) -> Outage:
    known = {names.ups(word, number + 1): feed for feed, word in enumerate(whole.grid.feeds)
             for number in range(whole.limits.modules)}  # fmt: skip
    lost = [known[part] for part in dict.fromkeys(parts)]
    return Outage(ups={feed: lost.count(feed) for feed in lost})


def _busway(whole: Survey, parts: list[str]) -> Outage:
    if not whole.power.busway:
        raise KeyError(parts[0])
    grid = whole.grid
    known = {names.busway(hall, number, feed): (row, at) for row, (hall, number) in enumerate(grid.rows)
             for at, feed in enumerate(grid.feeds)}  # fmt: skip
    return Outage(busways=frozenset(known[part] for part in parts))


def _circuit(whole: Survey, parts: list[str]) -> Outage:
    grid = whole.grid
    found = [_index(grid.circuits, part) for part in parts]
    rack = _one_rack(grid.first_circuit, found, parts)
    inside = [at - int(grid.first_circuit[rack]) for at in found]
    return Outage(rack=rack, supplies=np.isin(grid.kinds[grid.kind[rack]].block.circuit, inside))


def _pdu(whole: Survey, parts: list[str]) -> Outage:
    ending = names.pdu("")
    if not whole.power.rack_pdu or not all(part.endswith(ending) for part in parts):
        raise KeyError(parts[0])
    return _circuit(whole, [part.removesuffix(ending) for part in parts])


def _shelf(whole: Survey, parts: list[str]) -> Outage:
    return _supplies(whole, parts, [device for device, _ in _held(whole)], shelf=True)


def _psu(whole: Survey, parts: list[str]) -> Outage:
    return _supplies(whole, parts, [names.supply(device, psu) for device, psu in _held(whole)], shelf=False)


def _held(whole: Survey) -> list[tuple[str, int]]:
    return list(whole.grid.supplies.select("device", "psu").iter_rows())


def _supplies(whole: Survey, parts: list[str], called: list[str], *, shelf: bool) -> Outage:
    grid, wanted = whole.grid, set(parts)
    found = [at for at, name in enumerate(called) if name in wanted]
    missing = [part for part in parts if part not in {called[at] for at in found}]
    if missing:
        raise KeyError(missing[0])
    rack = _one_rack(grid.first_supply, found, parts)
    kind = grid.kinds[grid.kind[rack]]
    lost: Flags = np.isin(np.arange(len(kind.shelf)), [at - int(grid.first_supply[rack]) for at in found])
    if shelf and not kind.shelf[lost].all():
        raise KeyError(parts[0])
    return Outage(rack=rack, supplies=lost)


FIND: dict[str, Callable[[Survey, list[str]], Outage]] = {
    "feed": _feed,
    "ups": _ups,
    "busway": _busway,
    "circuit": _circuit,
    "pdu": _pdu,
    "shelf": _shelf,
    "psu": _psu,
}
"""How an element of each kind is found by name."""


def _index(known: Iterable[str], name: str) -> int:
    for at, one in enumerate(known):
        if one == name:
            return at
    raise KeyError(name)


def _one_rack(first: Ints, found: list[int], parts: list[str]) -> int:
    racks = {int(np.searchsorted(first, at, side="right")) - 1 for at in found}
    if len(racks) != 1:
        raise KeyError("+".join(parts))
    return racks.pop()
