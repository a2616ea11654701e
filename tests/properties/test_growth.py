"""Adding a node moves nothing, and the same site always gives the same design."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from rackwright import catalog, design
from rackwright.base import yaml_text
from rackwright.base.errors import ProblemsError
from rackwright.model.design import Design
from rackwright.model.site import Site
from tests.examples import examples

EXAMPLE = Path(__file__).resolve().parents[2] / "inventories" / "h100-pod" / "site.yaml"


@cache
def expanded(count: int, per_rack: int, unit: int, ufm: int) -> Design:
    data = yaml_text.load(EXAMPLE.read_text())
    data["pools"][0].update(count=count, servers_per_rack=per_rack, scalable_unit=unit)
    data["facility"]["halls"][0].update(rows=8, racks_per_row=20)
    data["control"]["ufm"]["servers"]["count"] = ufm
    return design.expand(Site.model_validate(data), catalog.load())


def is_unchanged(before: pl.DataFrame, after: pl.DataFrame) -> bool:
    return before.join(after, on=before.columns, how="anti", nulls_equal=True).is_empty()


@given(
    count=st.integers(1, 63),
    per_rack=st.integers(1, 6),
    unit=st.sampled_from([8, 16, 31, 32]),
    ufm=st.integers(1, 3),
)
@examples(20, dear=True)
def test_a_node_more_moves_nothing(count, per_rack, unit, ufm):
    while count % unit == 0 or (unit == 32 and (count + 1) % unit == 0):
        count -= 1  # stay within the unit, and leave the port that UFM needs
    if count < 1:
        return
    before, after = expanded(count, per_rack, unit, ufm), expanded(count + 1, per_rack, unit, ufm)
    assert len(after.node_table) == len(before.node_table) + 1
    for table in ("node_table", "addresses", "cables"):
        assert is_unchanged(getattr(before, table), getattr(after, table)), table
    columns = ["device", "rack", "unit", "index", "scalable_unit"]
    assert is_unchanged(before.devices.select(columns), after.devices.select(columns))
    place = ["rack", "hall", "row", "position"]
    assert is_unchanged(before.racks.select(place), after.racks.select(place))
    plugged = before.ports.filter(pl.col("cable").is_not_null())
    assert is_unchanged(plugged, after.ports)


@given(count=st.integers(1, 62), per_rack=st.integers(1, 6), unit=st.sampled_from([8, 31, 40]))
@examples(20, dear=True)
def test_whatever_expands_has_no_clash(count, per_rack, unit):
    try:
        design_of_site = expanded(count, per_rack, unit, 2)
    except ProblemsError:
        return
    bad = {verdict.check for verdict in design.rules.run_rules(design_of_site) if verdict.outcome == "fail"}
    assert not bad & {"design.port_budget", "design.address_clash", "design.rack_overlap", "design.rack_place"}
    assert not bad & {"design.uplink_balance", "design.rack_units", "design.power_supplies", "design.power_circuit"}
