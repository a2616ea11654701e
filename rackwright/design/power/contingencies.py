"""The losses that are simulated: each feed and UPS, and for the many equal parts of a site the one that hurts most.

One kind at a time, as many at once as the site declares to survive, at least one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from rackwright.design.power import names
from rackwright.design.power.block import Flags
from rackwright.design.power.grid import RackKind
from rackwright.design.power.outage import Outage
from rackwright.design.power.rack_losses import circuit_cases, supply_cases
from rackwright.design.power.survey import Survey


@dataclass(frozen=True, eq=False)
class Contingency:
    """One loss: its kind, its name, and whether the site declares to survive it."""

    kind: str
    name: str
    outage: Outage
    must: bool


def contingencies(survey: Survey) -> Iterator[Contingency]:
    """Every loss of the site, from the top of the tree down."""
    yield from _feeds(survey)
    yield from _ups(survey)
    yield from _busways(survey)
    yield from _circuits(survey)
    yield from _supplies(survey)


def join_names(parts: Sequence[str]) -> str:
    """Name of several elements that are lost together."""
    return "+".join(parts)


def _feeds(survey: Survey) -> Iterator[Contingency]:
    feeds, declared = survey.grid.feeds, survey.power.survive.feeds
    for count in sorted({1, min(max(1, declared), len(feeds))}):
        for lost in combinations(range(len(feeds)), count):
            name = join_names([feeds[feed] for feed in lost])
            yield Contingency("feed", name, Outage(feeds=frozenset(lost)), must=count <= declared)


def _ups(survey: Survey) -> Iterator[Contingency]:
    declared, modules = survey.power.survive.ups, survey.limits.modules
    count = min(max(1, declared), modules)
    for feed, word in enumerate(survey.grid.feeds):
        if modules:
            name = join_names([names.ups(word, number + 1) for number in range(count)])
            yield Contingency("ups", name, Outage(ups={feed: count}), must=declared > 0)


def _busways(survey: Survey) -> Iterator[Contingency]:
    """The busway whose loss takes down most nodes, then the one with the highest load."""
    if not survey.power.busway:
        return
    grid = survey.grid
    best, most = (0, 0), (-1.0, -1.0)
    for feed in range(len(grid.feeds)):
        hurt = np.array([kind.nodes[_groups_down(kind, kind.block.feed == feed)].sum() for kind in grid.kinds])
        nodes = np.bincount(grid.row, weights=hurt[grid.kind], minlength=len(grid.rows))
        for row, load in enumerate(survey.undisturbed.busways[:, feed]):
            if (float(nodes[row]), float(load)) > most:
                best, most = (row, feed), (float(nodes[row]), float(load))
    row, feed = best
    hall, number = grid.rows[row]
    name = names.busway(hall, number, grid.feeds[feed])
    yield Contingency("busway", name, Outage(busways=frozenset({best})), must=False)


def _circuits(survey: Survey) -> Iterator[Contingency]:
    """The circuits, and their PDUs, of the rack that is hit hardest; and the power shelf."""
    declared = survey.power.survive.pdus
    worst = _worst_choice([(kind, case.lost, case.circuits) for kind in survey.grid.kinds
                            for case in circuit_cases(kind.block, max(1, declared))])  # fmt: skip
    if worst:
        kind, lost, circuits = worst
        outage, rack_circuits = _outage_inside(kind, lost), survey.grid.rack_circuits(kind.racks[0])
        labels = [rack_circuits[at] for at in circuits]
        yield Contingency("circuit", join_names(labels), outage, must=declared > 0)
        if survey.power.rack_pdu and not kind.shelf[lost].all():
            yield Contingency("pdu", join_names([names.pdu(circuit) for circuit in labels]), outage, must=declared > 0)
    shelves = [(kind, case.lost, case.circuits) for kind in survey.grid.kinds if kind.shelf.any()
               for case in circuit_cases(kind.block, 1) if kind.shelf[case.lost].all()]  # fmt: skip
    worst = _worst_choice(shelves)
    if worst:
        kind, lost, _ = worst
        at = int(survey.grid.first_supply[kind.racks[0]]) + int(np.flatnonzero(lost)[0])
        yield Contingency(
            "shelf", survey.grid.supplies["device"][at], _outage_inside(kind, lost), must=survey.spare_shelf
        )


def _supplies(survey: Survey) -> Iterator[Contingency]:
    declared = survey.power.survive.psus
    worst = _worst_choice([(kind, case.lost, ()) for kind in survey.grid.kinds
                            for case in supply_cases(kind.block, max(1, declared))])  # fmt: skip
    if worst:
        kind, lost, _ = worst
        first = int(survey.grid.first_supply[kind.racks[0]])
        rows = [survey.grid.supplies.row(first + int(at)) for at in np.flatnonzero(lost)]
        name = join_names([names.supply(device, psu) for device, psu in rows])
        yield Contingency("psu", name, _outage_inside(kind, lost), must=declared > 0)


_Choice = tuple[RackKind, Flags, tuple[int, ...]]


def _worst_choice(choices: Sequence[_Choice]) -> _Choice | None:
    """The choice that takes down most nodes, then most devices, then leaves the smallest share, then the fullest circuit."""
    best, most = None, (-1.0, -1.0, -2.0, -1.0)
    for choice in choices:
        kind, lost, _ = choice
        block = kind.block
        down, share = _groups_down(kind, lost), block.share(~lost)
        phases = block.phases(block.draws(lost))
        fullest = float((phases.sum(axis=1) / block.usable).max(initial=0.0))
        damage = (float(kind.nodes[down].sum()), float(kind.members[down].sum()), -float(share.min()), fullest)
        if damage > most:
            best, most = choice, damage
    return best


def _groups_down(kind: RackKind, lost: Flags) -> Flags:
    """Groups that this loss alone takes down."""
    block = kind.block
    overloaded = block.overloaded(block.phases(block.draws(lost)))
    return np.less(block.spare(~lost & ~overloaded[block.circuit]), 1)


def _outage_inside(kind: RackKind, lost: Flags) -> Outage:
    return Outage(rack=kind.racks[0], supplies=lost)
