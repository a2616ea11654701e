"""Where every node stands, for checks that compare places."""

from __future__ import annotations

from collections.abc import Mapping

from rackwright.model.design import Design

LIQUID, AIR = ("cdu",), ("crah",)
"""Kinds of cooling units, by the side that they serve."""


def places(design: Design) -> dict[str, Mapping[str, str]]:
    """By rack: the rack, its row, and the loop that takes its heat: the coolant where the rack has any, else the air."""
    loops: dict[tuple[str, bool], set[str]] = {}
    for unit in design.cooling.iter_rows(named=True):
        if unit["kind"] in (*LIQUID, *AIR):
            loops.setdefault((unit["hall"], unit["kind"] in LIQUID), set()).add(unit["loop"])
    by_rack: dict[str, Mapping[str, str]] = {}
    for rack in design.racks.iter_rows(named=True):
        location = {"rack": rack["rack"], "row": f"{rack['hall']} {rack['row']}"}
        loop = loops.get((rack["hall"], bool(rack["liquid_watts"])), set())
        by_rack[rack["rack"]] = {**location, "cooling loop": next(iter(loop))} if len(loop) == 1 else location
    return by_rack
