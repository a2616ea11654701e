"""The power tree after losses of any kinds together.

Feeds, UPS and busways are out for the whole site; what racks lose of their
own is simulated rack by rack on top of that, as the power study does.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from rackwright.design.power import names
from rackwright.design.power.elements import OUTAGES
from rackwright.design.power.outage import Aftermath, Outage, feed_limit
from rackwright.design.power.survey import Survey, survey_power
from rackwright.design.whatif.result import Failing, Load, Side
from rackwright.design.whatif.words import Loss
from rackwright.model.design import Design

KW = 1000.0


def side(design: Design, losses: Sequence[Loss]) -> Side:
    """What goes without power, and how full feeds, UPS, busways and circuits are then."""
    mine = [one for one in losses if one.kind in OUTAGES]
    if not mine:
        return Side()
    whole = survey_power(design)
    afters = [whole.after(outage) for outage in _outages(whole, mine)]
    loads = [load for after in afters for load in _loads(whole, after)]
    fullest: dict[tuple[str, str], Load] = {}
    for load in loads:
        held = fullest.setdefault((load.kind, load.element), load)
        fullest[load.kind, load.element] = max(held, load, key=lambda one: one.share)
    down = frozenset(device for after in afters for device in _down(whole, after))
    told = tuple(fullest.values())
    return Side(down, told, tuple(_failing(told, down, max(_circuits_over(after) for after in afters))))


def _outages(whole: Survey, losses: Sequence[Loss]) -> list[Outage]:
    """What is out everywhere, and on top of it what each rack lost of its own."""
    found = [OUTAGES[one.kind](whole, [one.name]) for one in losses]
    ups: Counter[int] = Counter()
    for one in found:
        ups.update(one.ups)
    common = Outage(
        feeds=frozenset(feed for one in found for feed in one.feeds),
        ups=dict(ups),
        busways=frozenset(way for one in found for way in one.busways),
    )
    own = defaultdict(list)
    for one in found:
        if one.supplies is not None:
            own[one.rack].append(one.supplies)
    racks = [replace(common, rack=rack, supplies=np.logical_or.reduce(lost)) for rack, lost in own.items()]
    return racks or [common]


def _down(whole: Survey, after: Aftermath) -> Iterator[str]:
    grid = whole.grid
    hit = np.array([bool(one.down.any()) for one in after.outcomes])[after.outcome]
    for rack in np.flatnonzero(hit):
        down = after.outcomes[int(after.outcome[rack])].down
        first, end = int(grid.first_device[rack]), int(grid.first_device[rack + 1])
        devices = np.arange(first, end)
        for at in devices[down[grid.group[devices] - first]]:
            yield str(grid.devices[int(at)])


def _loads(whole: Survey, after: Aftermath) -> Iterator[Load]:
    """Every feed that is left, the fullest of its UPS and of all busways, and the fullest circuit."""
    grid, out, limits = whole.grid, after.outage, whole.limits
    for at, feed in enumerate(grid.feeds):
        if at in out.feeds:
            continue
        watts = float(after.feeds[at])
        yield Load(feed, "feed", watts / KW, feed_limit(limits, out, at) / KW, "kW")
        left = limits.modules - out.ups.get(at, 0)
        if limits.modules and left > 0:
            yield Load(f"{feed}-ups", "ups", watts / left / KW, limits.module / KW, "kW")
    if whole.power.busway and after.busways.size:
        row, way = divmod(int(after.busways.argmax()), len(grid.feeds))
        name = names.busway(*grid.rows[row], grid.feeds[way])
        yield Load(name, "busway", float(after.busways[row, way]) / KW, limits.busway / KW, "kW")
    yield from _circuit(whole, after)


def _circuit(whole: Survey, after: Aftermath) -> Iterator[Load]:
    best: tuple[float, int, int] | None = None
    for number, case in enumerate(after.outcomes):
        block = whole.grid.kinds[case.kind].block
        if not len(block.usable):
            continue
        shares = case.phases.sum(axis=1) / block.usable
        at = int(shares.argmax())
        if best is None or shares[at] > best[0]:
            best = (float(shares[at]), number, at)
    if best:
        share, number, at = best
        rack = int(np.flatnonzero(after.outcome == number)[0])
        usable = float(whole.grid.kinds[after.outcomes[number].kind].block.usable[at]) / KW
        yield Load(whole.grid.rack_circuits(rack)[at], "circuit", share * usable, usable, "kW")


def _circuits_over(after: Aftermath) -> int:
    return int(np.array([int(one.overloaded.sum()) for one in after.outcomes], dtype=np.int64)[after.outcome].sum())


RULES = {"feed": "feed_capacity", "ups": "ups_capacity", "busway": "busway_capacity", "circuit": "power_circuit"}
EXACT = 1 + 1e-6
"""Loads are sums of floats."""


def _failing(loads: Sequence[Load], down: frozenset[str], circuits: int) -> Iterator[Failing]:
    for one in loads:
        if one.share > EXACT:
            what = f"{one.kind} {one.element} has to carry {one.load:,.1f} of {one.capacity:,.1f} kW"
            more = f"; {circuits} circuits are overloaded" if one.kind == "circuit" and circuits > 1 else ""
            yield Failing(f"design.{RULES[one.kind]}", f"{what}{more}.")
    if down:
        some = ", ".join(sorted(down)[:3])
        more = f" and {len(down) - 3} more" if len(down) > 3 else ""
        yield Failing("design.power_supplies", f"{some}{more} cannot count on enough power supplies.")
