"""After the declared loss of pumps in one CDU, its loop still carries the heat and the flow of its racks.

The CDU that loses most is judged; the others of its loop run on. Flow falls with the remaining pumps over those it needs, which is
conservative: the remaining pumps meet less back pressure and deliver a little more (affinity laws, ASHRAE Handbook HVAC Systems).
"""

from __future__ import annotations

from rackwright.design.cooling.plant import loops
from rackwright.design.cooling.remaining_capacity import remaining_capacity, worst_pumps
from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model.design import Design


def judge(design: Design) -> Judged:
    """Per coolant loop with racks, where pumps must survive."""
    for loop in loops(design):
        if loop.kind != "cdu" or not loop.load_watts or not loop.units or not loop.survive_pumps:
            continue
        name = worst_pumps(loop)
        unit = next(candidate for candidate in loop.units if candidate.name == name)
        what = remaining_capacity(loop, pumps={name: loop.survive_pumps})
        observed = (
            f"{what.watts / 1000:,.1f} kW and {what.flow:,.0f} L/min with {loop.survive_pumps} pump of {name} lost"
        )
        expected = f"at least {loop.load_watts / 1000:,.1f} kW and {loop.load_flow:,.0f} L/min"
        source = f"SKU {unit.sku}: {unit.pumps_needed} of {unit.pumps} pumps needed"
        says = f"{loop.name} carries {observed}"
        step = f"choose a CDU with a spare pump, or add one {unit.sku} in {loop.hall}"
        yield loop.name, finding(not what.racks_down, observed, expected, source, says, step)


RULE = DesignRule("pump_loss", "Loops survive the loss of a pump", judge)
