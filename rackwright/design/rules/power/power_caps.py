"""A declared cap leaves accelerators power to run on, and the finding names both."""

from __future__ import annotations

from typing import Any

from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model.design import Design
from rackwright.model.verdict import Finding

WHEN = {"always": "", "after-loss": " once a supply, or a shelf of its busbar, is out"}


def judge(design: Design) -> Judged:
    """Per cap."""
    for at, cap in enumerate(design.studies.get("caps", [])):
        yield f"{cap['server']} {cap['applies']}", _finding(at, cap)


def _finding(at: int, cap: dict[str, Any]) -> Finding:
    observed = f"{cap['watts'] / 1000:g} of {cap['peak_watts'] / 1000:g} kW{WHEN[cap['applies']]}"
    share, throughput = cap["accelerator_share"], cap["throughput_share"]
    if share is not None:
        observed += f", {cap['accelerator_watts']} W an accelerator ({share:.0%} of its power)"
    observed += f", {throughput:.0%} of its throughput" if throughput else ""
    says = f"{cap['server']} draws at most {observed}"
    says += "" if throughput else "; what that costs its jobs is not declared (throughput_share)"
    good = share is None or share > 0
    expected = f"more than the {cap['beside_watts']} W that it draws beside its accelerators"
    step = "raise the cap: its accelerators would have nothing to run on"
    return finding(good, observed, expected, f"site facility.power.caps[{at}]", says, step)


RULE = DesignRule("power_caps", "Caps leave accelerators power", judge)
