"""Coolant leaks are detected and shut off: detectors with isolation valves at the liquid-cooled racks and their rows.

No standard states how many, so presence counts, per rack (manifolds) and per row (pipes), as the site declares it. Missing coverage degrades:
the loop works, but a leak damages more than the rack it starts in.
"""

from __future__ import annotations

from rackwright.design.cooling.leak import liquid_racks
from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model.design import Design
from rackwright.model.verdict import Finding, Outcome

COVERS = {"none": (), "rack": ("rack",), "row": ("row",), "rack-and-row": ("rack", "row")}


def judge(design: Design) -> Judged:
    """Per row with liquid-cooled racks."""
    liquid = design.site.facility.liquid
    declared = liquid.leak_detection if liquid else "none"
    rows = liquid_racks(design).group_by(["hall", "row"], maintain_order=True).len()
    for hall, row, count in rows.iter_rows():
        yield f"{hall} row {row}", _finding(hall, row, count, declared)


def _finding(hall: str, row: int, racks: int, declared: str) -> Finding:
    covered = COVERS[declared]
    parts = {"rack": f"{racks} racks", "row": "the pipes of the row"}
    watched = [words for part, words in parts.items() if part in covered]
    open_ = [words for part, words in parts.items() if part not in covered]
    observed = f"detectors and valves at {' and '.join(watched) or 'nothing'}"
    expected, source = "detectors and valves at racks and pipes", "site facility.liquid.leak_detection"
    says = f"{hall} row {row} has {observed}" + (f", none at {' and '.join(open_)}" if open_ and watched else "")
    step = "set facility.liquid.leak_detection to rack-and-row"
    return finding(not open_, observed, expected, source, says, step, Outcome.DEGRADED)


RULE = DesignRule("leak_detection", "Leaks are found and shut off", judge)
