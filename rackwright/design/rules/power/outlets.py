"""Every power supply has an outlet of its rack PDU with sufficient rating, at a voltage that the outlets are made for."""

from __future__ import annotations

import re

import numpy as np
import polars as pl

from rackwright.catalog import power_practice
from rackwright.design.power.capacity import load_volts
from rackwright.design.power.survey import survey_power
from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model.design import Design
from rackwright.model.plant import Pdu

IEC = re.compile(r"C\d+")
"""Outlets of IEC 60320, such as C13 and C19."""


def judge(design: Design) -> Judged:
    """The voltage at the outlets; then per kind of rack: the supplies without an outlet."""
    power = design.site.facility.power
    part = design.plant_parts.get(power.rack_pdu) if power.rack_pdu else None
    if not isinstance(part, Pdu):
        return
    practice, survey = power_practice.load(), survey_power(design)
    volts = load_volts(power.circuit, practice.outlet_volts)
    if any(IEC.fullmatch(group.type) for group in part.outlets):
        observed, expected = f"{volts:.0f} V at the outlets", f"at most {practice.outlet_volts:g} V"
        says = f"A circuit of {power.circuit.volts} V gives {observed}"
        step = "lower facility.power.circuit.volts, or take a rack_pdu with outlets for that voltage"
        good = volts <= practice.outlet_volts
        yield part.sku, finding(good, observed, expected, practice.source("outlet_volts"), says, step)
    of_nodes = set(design.racks.filter(pl.col("kind") == "compute")["rack"])
    have = ", ".join(f"{group.count} x {group.type} of {group.amps:g} A" for group in part.outlets)
    for kind in survey.grid.kinds:
        corded = ~kind.shelf
        if not corded.any():
            continue
        without = corded & ~kind.plugged
        circuits = len(np.unique(kind.block.circuit[corded]))
        observed = f"{int(without.sum())} of {int(corded.sum())} supplies without an outlet on {circuits} PDU{'' if circuits == 1 else 's'}"
        if without.any():
            observed += f", the largest of {int(kind.block.watts[without].max())} W"
        says = f"{survey.rack_text(kind)}: {observed}"
        remedy = (
            "fewer servers_per_rack" if survey.grid.racks[kind.racks[0]] in of_nodes else "more facility.power.feeds"
        )
        step = f"take a facility.power.rack_pdu with more outlets for that current, or {remedy}"
        source = f"SKU {part.sku}: {have}"
        yield (
            survey.grid.racks[kind.racks[0]],
            finding(not without.any(), observed, "an outlet for each", source, says, step),
        )


RULE = DesignRule("outlets", "Every power supply has an outlet", judge)
