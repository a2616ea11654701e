"""No transceiver draws more than its cage may deliver and cool."""

from __future__ import annotations

from typing import Any

import polars as pl

from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model.design import Design
from rackwright.model.verdict import Finding


def judge(design: Design) -> Judged:
    """Per switch or server and transceiver, where the maker publishes what a cage delivers."""
    plugged = design.plugs.drop_nulls(["optic", "watts"])
    key = ["part", "role", "optic", "watts"]
    for row in (
        plugged.group_by(key).agg(pl.col("cages").sum(), pl.col("device").first()).sort(key).iter_rows(named=True)
    ):
        optic = design.optic_parts.get(row["optic"])
        if optic:
            yield f"{optic.sku} in {row['part']}", _finding(row, optic.watts)


def _finding(row: dict[str, Any], draws: float) -> Finding:
    good = draws <= row["watts"]
    observed = f"{draws:g} W of {row['optic']}"
    says = f"{row['cages']} cages of {row['part']} (such as {row['device']}) have transceivers {row['optic']} of {draws:g} W"
    step = "bring the ends closer, so that a transceiver of less power or copper is enough, or choose a switch with cages of more power"
    return finding(good, observed, f"at most {row['watts']:g} W a cage", f"SKU {row['part']}", says, step)


RULE = DesignRule("transceiver_power", "Transceivers stay within the power of their cages", judge)
