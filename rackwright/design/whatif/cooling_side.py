"""The coolant and air loops after losses of CDUs, pumps and air handlers together.

Losses of one loop are combined; loops do not back each other up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import polars as pl

from rackwright.design.cooling.plant import CoolingLoop, loops
from rackwright.design.cooling.remaining_capacity import EXACT, RemainingCapacity, remaining_capacity
from rackwright.design.whatif.result import ElementLoad, Failing, LossEffect
from rackwright.design.whatif.scenario import Loss
from rackwright.model.design import Design

KW = 1000.0
RULES = {"cdu": "cdu_capacity", "crah": "crah_capacity"}
PLANT = (*RULES, "pump")


def lost_cooling(design: Design, losses: Sequence[Loss]) -> LossEffect:
    """Devices without cooling, and the load of the loops with losses."""
    mine = [loss for loss in losses if loss.kind in PLANT]
    effects = [_loop(design, loop, mine) for loop in loops(design)] if mine else []
    return LossEffect(
        frozenset(device for loss in effects for device in loss.down),
        tuple(load for loss in effects for load in loss.loads),
        tuple(failing for loss in effects for failing in loss.failing),
    )


def _loop(design: Design, loop: CoolingLoop, losses: Sequence[Loss]) -> LossEffect:
    names = {unit.name for unit in loop.units}
    loop_losses = [loss for loss in losses if loss.name in names]
    lost_units = {loss.name for loss in loop_losses if loss.kind == loop.kind}
    pumps = Counter(loss.name for loss in loop_losses if loss.kind == "pump" and loop.kind == "cdu")
    if not lost_units and not pumps:
        return LossEffect()
    what = remaining_capacity(loop, lost_units, pumps)
    inside = design.devices.filter(pl.col("rack").is_in(what.racks_down))
    return LossEffect(
        frozenset(inside["device"]), tuple(_loads(loop, what)), tuple(_failing_units(loop, what, bool(lost_units)))
    )


def _loads(loop: CoolingLoop, what: RemainingCapacity) -> Iterator[ElementLoad]:
    yield ElementLoad(loop.name, loop.kind, loop.load_watts / KW, what.watts / KW, "kW")
    yield ElementLoad(loop.name, loop.kind, loop.load_flow, what.flow, loop.flow_unit)


def _failing_units(loop: CoolingLoop, what: RemainingCapacity, units: bool) -> Iterator[Failing]:
    rule = RULES[loop.kind] if units else "pump_loss"
    for load in _loads(loop, what):
        if load.load > load.capacity * EXACT:
            says = f"{loop.name} can carry {load.capacity:,.1f} of {load.load:,.1f} {load.unit}"
            racks = f"; {len(what.racks_down)} racks have no cooling" if what.racks_down else ""
            yield Failing(f"design.{rule}", f"{says}{racks}.")
