"""Which losses are simulated: each feed and UPS, and of the many equal things of a site the one that hurts most.

One kind at a time, as many at once as the site declares to survive, at least one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from rackwright.design.power import names
from rackwright.design.power.block import Flags
from rackwright.design.power.cases import circuit_cases, supply_cases
from rackwright.design.power.grid import Kind
from rackwright.design.power.outage import Outage
from rackwright.design.power.survey import Survey


@dataclass(frozen=True, eq=False)
class Trial:
    """One loss: of which kind, called what, and whether the site declares to survive it."""

    kind: str
    name: str
    outage: Outage
    must: bool


def trials(survey: Survey) -> Iterator[Trial]:
    """Every loss of the site, from the top of the tree down."""
    yield from _feeds(survey)
    yield from _ups(survey)
    yield from _busways(survey)
    yield from _circuits(survey)
    yield from _supplies(survey)


def joined(parts: Sequence[str]) -> str:
    """Name of several elements that are lost together."""
    return "+".join(parts)


def _feeds(survey: Survey) -> Iterator[Trial]:
    feeds, declared = survey.grid.feeds, survey.power.survive.feeds
    for count in sorted({1, min(max(1, declared), len(feeds))}):
        for lost in combinations(range(len(feeds)), count):
            name = joined([feeds[feed] for feed in lost])
            yield Trial("feed", name, Outage(feeds=frozenset(lost)), must=count <= declared)


def _ups(survey: Survey) -> Iterator[Trial]:
    declared, modules = survey.power.survive.ups, survey.limits.modules
    count = min(max(1, declared), modules)
    for feed, word in enumerate(survey.grid.feeds):
        if modules:
            name = joined([names.ups(word, number + 1) for number in range(count)])
            yield Trial("ups", name, Outage(ups={feed: count}), must=declared > 0)


def _busways(survey: Survey) -> Iterator[Trial]:
    """The busway with most nodes that its feed alone would take down, then with the highest load."""
    if not survey.power.busway:
        return
    grid = survey.grid
    best, most = (0, 0), (-1.0, -1.0)
    for feed in range(len(grid.feeds)):
        hurt = np.array([kind.nodes[_down(kind, kind.block.feed == feed)].sum() for kind in grid.kinds])
        nodes = np.bincount(grid.row, weights=hurt[grid.kind], minlength=len(grid.rows))
        for row, load in enumerate(survey.whole.busways[:, feed]):
            if (float(nodes[row]), float(load)) > most:
                best, most = (row, feed), (float(nodes[row]), float(load))
    row, feed = best
    hall, number = grid.rows[row]
    name = names.busway(hall, number, grid.feeds[feed])
    yield Trial("busway", name, Outage(busways=frozenset({best})), must=False)


def _circuits(survey: Survey) -> Iterator[Trial]:
    """The circuits, and their PDUs, of the rack that is hurt most; and the power shelf."""
    declared = survey.power.survive.pdus
    found = _worst([(kind, case.lost, case.circuits) for kind in survey.grid.kinds
                            for case in circuit_cases(kind.block, max(1, declared))])  # fmt: skip
    if found:
        kind, lost, circuits = found
        outage, called = _inside(kind, lost), survey.grid.names(kind.racks[0])
        here = [called[at] for at in circuits]
        yield Trial("circuit", joined(here), outage, must=declared > 0)
        if survey.power.rack_pdu and not kind.shelf[lost].all():
            yield Trial("pdu", joined([names.pdu(one) for one in here]), outage, must=declared > 0)
    shelves = [(kind, case.lost, case.circuits) for kind in survey.grid.kinds if kind.shelf.any()
               for case in circuit_cases(kind.block, 1) if kind.shelf[case.lost].all()]  # fmt: skip
    found = _worst(shelves)
    if found:
        kind, lost, _ = found
        at = int(survey.grid.first_supply[kind.racks[0]]) + int(np.flatnonzero(lost)[0])
        yield Trial("shelf", survey.grid.supplies["device"][at], _inside(kind, lost), must=survey.spare_shelf)


def _supplies(survey: Survey) -> Iterator[Trial]:
    declared = survey.power.survive.psus
    found = _worst([(kind, case.lost, ()) for kind in survey.grid.kinds
                            for case in supply_cases(kind.block, max(1, declared))])  # fmt: skip
    if found:
        kind, lost, _ = found
        first = int(survey.grid.first_supply[kind.racks[0]])
        rows = [survey.grid.supplies.row(first + int(at)) for at in np.flatnonzero(lost)]
        name = joined([names.supply(device, psu) for device, psu in rows])
        yield Trial("psu", name, _inside(kind, lost), must=declared > 0)


_Choice = tuple[Kind, Flags, tuple[int, ...]]


def _worst(choices: Sequence[_Choice]) -> _Choice | None:
    """The choice that takes down most nodes, then most devices, then leaves the smallest share, then the fullest circuit."""
    best, most = None, (-1.0, -1.0, -2.0, -1.0)
    for choice in choices:
        kind, lost, _ = choice
        block = kind.block
        down, share = _down(kind, lost), block.share(~lost)
        phases = block.phases(block.draws(lost))
        fullest = float((phases.sum(axis=1) / block.usable).max(initial=0.0))
        found = (float(kind.nodes[down].sum()), float(kind.members[down].sum()), -float(share.min()), fullest)
        if found > most:
            best, most = choice, found
    return best


def _down(kind: Kind, lost: Flags) -> Flags:
    """Groups that this loss alone takes down."""
    block = kind.block
    overloaded = block.overloaded(block.phases(block.draws(lost)))
    return np.less(block.spare(~lost & ~overloaded[block.circuit]), 1)


def _inside(kind: Kind, lost: Flags) -> Outage:
    return Outage(rack=kind.racks[0], supplies=lost)
