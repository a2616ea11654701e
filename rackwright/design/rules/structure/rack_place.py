"""Every rack has its own place, inside its hall."""

from __future__ import annotations

from collections import Counter

from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model.design import Design


def judge(design: Design) -> Judged:
    """Per hall."""
    rows = list(design.racks.iter_rows(named=True))
    places = Counter((row["hall"], row["row"], row["position"]) for row in rows)
    for hall in design.site.facility.halls:
        mine = [row for row in rows if row["hall"] == hall.name]
        if not mine:
            continue
        wrong = []
        for row in mine:
            at = f"row {row['row']} position {row['position']}"
            if places[hall.name, row["row"], row["position"]] > 1:
                wrong.append(f"{row['rack']} shares {at}")
            if not (1 <= row["row"] <= hall.rows and 1 <= row["position"] <= hall.racks_per_row):
                wrong.append(f"{row['rack']} stands outside at {at}")
        observed = "; ".join(wrong[:3]) or f"{len(mine)} racks in {hall.rows * hall.racks_per_row} places"
        expected = f"one rack per place in {hall.rows} rows of {hall.racks_per_row}"
        source = f"site facility.halls {hall.name}"
        yield hall.name, finding(not wrong, observed, expected, source, f"Hall {hall.name}: {observed}")


RULE = DesignRule("rack_place", "Every rack has its own place", judge)
