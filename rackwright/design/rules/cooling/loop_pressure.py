"""CDUs provide the pressure that the farthest rack and the pipes to it need at the design flow.

The need is the site's declaration (``facility.liquid.loop_pressure_kpa``), else the highest drop of a rack part plus the straight pipes of
the loop (`design.cooling.pipes`); a part without a stated drop makes the rule inconclusive.
"""

from __future__ import annotations

from typing import Any

from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model.design import Design
from rackwright.model.verdict import Finding, Outcome


def judge(design: Design) -> Judged:
    """Per coolant loop with CDUs and racks."""
    for loop in design.studies.get("cooling", {}).get("loops", ()):
        if loop["kind"] == "cdu" and loop["units"] and loop["racks"]:
            yield loop["loop"], _loop_finding(loop, design)


def _loop_finding(loop: dict[str, Any], design: Design) -> Finding:
    can, need, pipes = loop["pressure_kpa"], loop["needed_pressure_kpa"], loop["pipe_pressure_kpa"]
    source = f"SKU {', '.join(loop['skus'])} pressure_kpa"
    if need is None:
        return _open(loop, source)
    liquid = design.site.facility.liquid
    declared = liquid is not None and liquid.loop_pressure_kpa is not None
    why = "declared" if declared else f"{loop['rack_pressure_kpa']:g} kPa in a rack, {pipes:g} kPa in straight pipes"
    observed, expected = f"{can:g} kPa from its CDUs", f"at least {need:g} kPa ({why})"
    step = "choose CDUs with more pressure, thicker pipes, or shorter loops (one hall into two)"
    return finding(can >= need, observed, expected, source, f"{loop['loop']} gets {observed}", step)


def _open(loop: dict[str, Any], source: str) -> Finding:
    observed = f"{loop['pressure_kpa']:g} kPa from its CDUs"
    says = f"{loop['loop']} gets {observed}, and what its racks and pipes cost is not known ({source})."
    return Finding(
        outcome=Outcome.INCONCLUSIVE,
        observed=observed,
        expected="no less than racks and pipes cost",
        source=source,
        says=says,
        next_step="declare facility.liquid.loop_pressure_kpa from the hydraulic calculation",
    )


RULE = DesignRule("loop_pressure", "CDUs push coolant through the farthest rack", judge)
