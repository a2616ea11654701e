"""The coolant and air loops after losses of CDUs, pumps and air handlers together.

Losses of one loop are taken together; loops do not help each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import polars as pl

from rackwright.design.cooling.losing import EXACT, Left, left
from rackwright.design.cooling.plant import Loop, loops
from rackwright.design.whatif.result import Failing, Load, Side
from rackwright.design.whatif.words import Loss
from rackwright.model.design import Design

KW = 1000.0
RULES = {"cdu": "cdu_capacity", "crah": "crah_capacity"}
PLANT = (*RULES, "pump")


def side(design: Design, losses: Sequence[Loss]) -> Side:
    """What has no cooling, and how full the loops are that lost something."""
    mine = [one for one in losses if one.kind in PLANT]
    found = [_loop(design, loop, mine) for loop in loops(design)] if mine else []
    return Side(
        frozenset(device for one in found for device in one.down),
        tuple(load for one in found for load in one.loads),
        tuple(failing for one in found for failing in one.failing),
    )


def _loop(design: Design, loop: Loop, losses: Sequence[Loss]) -> Side:
    names = {unit.name for unit in loop.units}
    here = [one for one in losses if one.name in names]
    gone = {one.name for one in here if one.kind == loop.kind}
    pumps = Counter(one.name for one in here if one.kind == "pump" and loop.kind == "cdu")
    if not gone and not pumps:
        return Side()
    what = left(loop, gone, pumps)
    inside = design.devices.filter(pl.col("rack").is_in(what.racks_down))
    return Side(frozenset(inside["device"]), tuple(_loads(loop, what)), tuple(_failing(loop, what, bool(gone))))


def _loads(loop: Loop, what: Left) -> Iterator[Load]:
    yield Load(loop.name, loop.kind, loop.load_watts / KW, what.watts / KW, "kW")
    yield Load(loop.name, loop.kind, loop.load_flow, what.flow, loop.flow_unit)


def _failing(loop: Loop, what: Left, units: bool) -> Iterator[Failing]:
    rule = RULES[loop.kind] if units else "pump_loss"
    for one in _loads(loop, what):
        if one.load > one.capacity * EXACT:
            says = f"{loop.name} can carry {one.capacity:,.1f} of {one.load:,.1f} {one.unit}"
            racks = f"; {len(what.racks_down)} racks have no cooling" if what.racks_down else ""
            yield Failing(f"design.{rule}", f"{says}{racks}.")
