"""Where racks stand, and which loop takes their heat."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from rackwright.judge.places import places
from tests import build

RACKS = pl.DataFrame(
    [("r1", "north", 1, 0), ("r2", "north", 2, 90_000), ("r3", "south", 1, 0)],
    schema=("rack", "hall", "row", "liquid_watts"),
    orient="row",
)
UNITS = [
    ("crah", "north", "north air"),
    ("crah", "north", "north air"),
    ("cdu", "north", "north coolant"),
    ("chiller", "north", "north chilled water"),
    ("crah", "south", "south air 1"),
    ("crah", "south", "south air 2"),
]


@pytest.mark.parametrize(
    ("units", "loops"),
    [
        (UNITS, ["north air", "north coolant", None]),
        (UNITS[:2], ["north air", None, None]),
        ([*UNITS, ("cdu", "north", "north coolant 2")], ["north air", None, None]),
        (UNITS[4:5], [None, None, "south air 1"]),
        ([], [None] * 3),
    ],
)
def test_where_every_rack_stands(units, loops) -> None:
    cooling = pl.DataFrame(units, schema={"kind": pl.String, "hall": pl.String, "loop": pl.String}, orient="row")
    stand = places(replace(build.site_design(), racks=RACKS, cooling=cooling))
    assert stand == {
        "r1": {"rack": "r1", "row": "north 1"} | ({"cooling loop": loops[0]} if loops[0] else {}),
        "r2": {"rack": "r2", "row": "north 2"} | ({"cooling loop": loops[1]} if loops[1] else {}),
        "r3": {"rack": "r3", "row": "south 1"} | ({"cooling loop": loops[2]} if loops[2] else {}),
    }
