"""The cable schedule: cables as they are handled, labelled, bundled and pulled."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from rackwright import design
from rackwright.catalog import cabling_practice
from rackwright.design import schedule
from rackwright.design.bill.links import cable_counts
from rackwright.model.site import Site

STAGES = ["between halls", "between rows", "along the row", "in the rack"]


@pytest.fixture(scope="module")
def cable_schedule(example) -> pl.DataFrame:
    return schedule.cables(example)


def halls(data, routes=()):
    """The site in two halls, so that the racks of the last places stand in the second."""
    first = data["facility"]["halls"][0]
    first.update(rows=1, racks_per_row=6)
    data["facility"]["halls"].append({**first, "name": "hall-2"})
    data["facility"]["routes"] = list(routes)


def test_every_link_is_in_one_cable(example, cable_schedule):
    assert cable_schedule.columns == schedule.COLUMNS
    assert cable_schedule["links"].sum() == example.cables.height
    assert cable_schedule["cable"].n_unique() == cable_schedule.height
    ends = pl.concat(
        [
            cable_schedule.select(f"{end}_device", f"{end}_port").rename({f"{end}_device": "d", f"{end}_port": "p"})
            for end in "ab"
        ]
    )
    ports = ends.with_columns(pl.col("p").str.split("+")).explode("p")
    plugged = example.ports.filter(pl.col("cable").is_not_null())
    assert set(ports.iter_rows()) == set(plugged.select("device", "port").iter_rows())


def test_totals_are_those_of_the_bill(example, cable_schedule):
    counted = schedule.totals(cable_schedule).select("sku", "length_meters", pl.col("cables").alias("count"))
    assert counted.rows() == cable_counts(example).rows()
    assert schedule.totals(cable_schedule)["meters"].sum() == cable_schedule["length_meters"].sum()


def test_a_twin_cable_carries_two_neighbouring_ports(cable_schedule):
    twins = cable_schedule.filter(pl.col("links") == 2)
    assert twins.height > 0
    first = twins.row(0, named=True)
    low, high = map(int, first["a_port"].split("+"))
    assert high == low + 1
    assert first["cable"] == f"{first['a_device']}:{low}"


def test_both_ends_stand_on_each_label_the_near_one_first(example, cable_schedule):
    row = cable_schedule.filter(pl.col("cable") == "train-001:mlx5_0").row(0, named=True)
    leaf = example.links("train-001")[0].remote_device
    unit = example.devices.filter(pl.col("device") == leaf)["unit"][0]
    assert row["a_label"] == f"train-r01 U01 train-001:mlx5_0 / fabric-r01 U{unit} {leaf}:1"
    assert row["b_label"] == f"fabric-r01 U{unit} {leaf}:1 / train-r01 U01 train-001:mlx5_0"


def test_every_cable_has_two_labels(cable_schedule):
    built_design = schedule.labels(cable_schedule)
    assert built_design.height == 2 * cable_schedule.height
    assert built_design.head(2)["end"].to_list() == ["a", "b"]
    assert built_design["near"][0] == built_design["far"][1]
    assert built_design["note"][0].startswith(
        f"1  {cable_schedule['sku'][0]} {cable_schedule['length_meters'][0]:g} m  "
    )
    assert built_design["near"].n_unique() == built_design.height


def test_bundles_are_small_enough_and_share_their_route(cable_schedule):
    most = {medium: bundle.most for bundle in cabling_practice.load().bundles for medium in bundle.media}
    for (name,), rows in cable_schedule.group_by("bundle"):
        assert rows.height <= min(most[medium] for medium in rows["medium"]), name
        pairs = {frozenset(pair) for pair in rows.select("a_rack", "b_rack").iter_rows()}
        assert len(pairs) == 1
        assert rows["fabric"].n_unique() == 1
    assert cable_schedule.filter(pl.col("medium") != "cat6").group_by("bundle").len()["len"].max() == 8


def test_a_full_bundle_starts_the_next(cable_schedule):
    names = (
        cable_schedule.filter((pl.col("fabric") == "compute") & (pl.col("a_rack") == "train-r01"))["bundle"]
        .unique()
        .sort()
    )
    assert names.to_list() == [f"compute train-r01/fabric-r01 #{number}" for number in (1, 2, 3, 4)]


def test_a_crew_finishes_a_bundle_before_the_next_and_the_long_ways_first(cable_schedule):
    assert cable_schedule["order"].to_list() == list(range(1, cable_schedule.height + 1))
    spans = cable_schedule.group_by("bundle").agg(
        pl.len().alias("n"), (pl.col("order").max() - pl.col("order").min() + 1).alias("span")
    )
    assert (spans["n"] == spans["span"]).all()
    stages = [STAGES.index(stage) for stage in cable_schedule["stage"]]
    assert stages == sorted(stages)
    ways = cable_schedule.group_by("stage", "a_rack", "bundle", maintain_order=True).agg(pl.col("routed_meters"))
    assert all(list(way) == sorted(way, reverse=True) for way in ways["routed_meters"])


def test_the_order_of_the_tables_does_not_matter_to_ends_and_labels(example, cable_schedule):
    again = schedule.cables(replace(example, devices=example.devices.reverse()))
    assert again.equals(cable_schedule)
    assert schedule.cables(example).equals(cable_schedule)


def test_stages_follow_the_floor(expanded):
    some = schedule.cables(expanded(lambda data: halls(data, [{"halls": ["hall-1", "hall-2"], "meters": 20.0}])))
    assert some["stage"][0] == "between halls"
    assert set(some["stage"]) == {"between halls", "along the row", "in the rack"}
    between = some.filter(pl.col("stage") == "between halls")
    assert between["routed_meters"].min() > 20
    assert set(some["crew"]) <= {"hall-1 row 1", "hall-2 row 1"}


def test_cables_without_a_known_length_come_first_and_have_no_metres(expanded):
    some = schedule.cables(expanded(halls))
    unknown = some.filter(pl.col("length_meters").is_null())
    assert set(unknown["stage"]) == {"between halls"}
    assert unknown.height > 0
    rows = schedule.totals(some).filter(pl.col("length_meters").is_null())
    assert rows["meters"].null_count() == rows.height
    assert rows["cables"].sum() == unknown.height
    assert " ? m  " in schedule.labels(unknown)["note"][0]


def test_a_node_that_is_added_changes_no_other_bundle(data, parts_catalog):
    def bundles(count):
        data["pools"][0]["count"] = count
        cable_table = schedule.cables(design.expand(Site.model_validate(data), parts_catalog))
        return {
            (row["cable"], row["b_device"]): row["bundle"]
            for row in cable_table.iter_rows(named=True)
            if row["cable"].startswith("train-")
        }

    before, after = bundles(29), bundles(30)
    assert set(after) > set(before)
    assert {key: after[key] for key in before} == before


def test_the_port_map_shows_every_port_of_a_rack(example):
    rack = "fabric-r01"
    table = schedule.port_map(example, rack)
    devices = example.devices.filter(pl.col("rack") == rack)["device"].to_list()
    ports = example.ports.filter(pl.col("device").is_in(devices))
    assert table.height == ports.height
    assert set(table.select("device", "port").iter_rows()) == set(ports.select("device", "port").iter_rows())
    assert table["unit"].is_sorted(descending=True)
    assert table["far_device"].is_null().equals(table["cable"].is_null())
    name = example.links("train-001")[0].remote_device
    leaf = table.filter((pl.col("device") == name) & (pl.col("port") == "1")).row(0, named=True)
    far = (leaf["far_device"], leaf["far_port"], leaf["far_rack"], leaf["far_unit"])
    assert far == ("train-001", "mlx5_0", "train-r01", 1)


def test_both_ends_of_a_cable_within_a_rack_are_in_its_map(example):
    table = schedule.port_map(example, "fabric-r01")
    names = table.filter(pl.col("far_rack") == "fabric-r01")["cable"]
    assert names.len() > 0
    assert (names.value_counts()["count"] == 2).all()


def test_the_backplane_of_a_rack_is_not_pulled(example, cable_schedule):
    some = replace(example, cables=example.cables.with_columns(pl.lit("nvlink").alias("kind")))
    assert schedule.cables(some).height == 0
    assert cable_schedule.height > 0


def test_a_site_without_cables_has_an_empty_schedule(example):
    some = schedule.cables(replace(example, cables=example.cables.clear()))
    assert some.height == 0
    assert some.columns == schedule.COLUMNS
    assert schedule.totals(some).height == schedule.labels(some).height == 0
