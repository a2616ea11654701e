from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackwright import catalog, design
from rackwright.base import yaml_text
from rackwright.design import bill, cages, sizing
from rackwright.design.bill import links, optics, plant
from rackwright.design.bill.line import of_part
from rackwright.design.bill.prices import Price, price
from rackwright.model.design import Design
from rackwright.model.site import Site
from rackwright.model.sku import Source
from tests.examples import examples

EXAMPLE = Path(__file__).resolve().parents[4] / "inventories" / "h100-pod" / "site.yaml"


def priced(**economics):
    return lambda data: data.update(economics=economics)


def line(built_design, sku):
    (row,) = built_design.bill.filter(pl.col("sku") == sku).iter_rows(named=True)
    return row


def with_part(built_design, sku, **change):
    """The design with one of its cable parts changed."""
    part = built_design.cable_parts[sku].model_copy(update=change)
    return replace(built_design, cable_parts={**built_design.cable_parts, sku: part})


@cache
def sized(count: int, unit: int) -> Design:
    data = yaml_text.load(EXAMPLE.read_text())
    data["pools"][0].update(count=count, scalable_unit=unit)
    data["facility"]["halls"][0].update(rows=10, racks_per_row=20)
    data["control"]["ufm"]["servers"]["count"] = 1
    return design.expand(Site.model_validate(data), catalog.load())


def transceivers(design, parts_catalog):
    return optics.counts(cages.add(design, parts_catalog), parts_catalog)


def test_transceivers_of_switches_are_those_of_the_totals(example, parts_catalog):
    """Every cage of a switch once; those of the servers come on top: four and two a node, three a UFM server, and in-band fibres."""
    of_switches = sum(row["transceivers"] for row in example.totals["fabrics"].values())
    fibres = example.cables.filter(
        (pl.col("kind") == "node_leaf") & (pl.col("fabric") == "inband") & (pl.col("sku") == "mma1b00")
    )
    assert sum(optics.counts(example, parts_catalog).values()) == of_switches + 31 * (4 + 2) + 2 * 3 + len(fibres)


def test_everything_that_stands_in_racks_is_in_the_bill(example):
    assert line(example, "dgx-h100")["quantity"] == 31
    assert line(example, "rack-48u-1200")["quantity"] == 10
    assert line(example, "qm9700")["quantity"] == 14
    kinds = dict(example.bill.group_by("kind").agg(pl.col("quantity").sum()).iter_rows())
    devices = dict(example.devices.group_by("kind").len().iter_rows())
    assert (kinds["server"], kinds["switch"]) == (devices["server"], devices["switch"])


def test_accelerators_come_inside_servers_and_are_not_paid_twice(plain):
    plain_design = plain(priced(prices={"dgx-h100": 300_000.0, "h100-sxm": 25_000.0}))
    accelerators = line(plain_design, "h100-sxm")
    assert (accelerators["quantity"], accelerators["included_in"]) == (248, "dgx-h100")
    assert accelerators["total"] == accelerators["spares"] * 25_000.0 > 0
    assert line(plain_design, "dgx-h100")["total"] == 31 * 300_000.0


def test_no_price_is_never_a_zero(example):
    study = example.studies["bill"]
    assert study["total"] is None
    assert "dgx-h100" in study["without_prices_of"]
    assert line(example, "dgx-h100")["total"] is None
    assert "No price is known" in study["says"]


def test_the_sum_names_what_it_lacks(plain):
    plain_design = plain(priced(prices={"dgx-h100": 300_000.0}))
    study = plain_design.studies["bill"]
    assert study["total"] == 9_300_000.0
    assert "dgx-h100" not in study["without_prices_of"]
    assert "qm9700" in study["without_prices_of"]
    assert study["says"].startswith("USD 9,300,000, without prices of ")
    assert study["by_kind"]["switch"] == {"quantity": 18, "total": None, "lines_without_price": 3}


def test_a_price_for_one_length_goes_before_that_of_the_part(plain, example):
    cables = example.bill.filter(pl.col("sku") == "cat6")
    first, *rest_of = cables["length_meters"].to_list()
    plain_design = plain(priced(prices={"cat6": 5.0, f"cat6@{first:g}": 3.0}))
    result = {
        row["length_meters"]: row for row in plain_design.bill.filter(pl.col("sku") == "cat6").iter_rows(named=True)
    }
    assert (result[first]["price"], result[first]["price_source"]) == (3.0, f"site economics.prices.cat6@{first:g}")
    assert {result[length]["price"] for length in rest_of} == {5.0}


def test_list_prices_only_when_they_are_wanted(plain, parts_catalog):
    servers = {
        **parts_catalog.servers,
        "dgx-h100": parts_catalog.servers["dgx-h100"].model_copy(update={"list_price_usd": 400_000.0}),
    }
    priced_catalog = replace(parts_catalog, servers=servers)
    required = bill.add(plain(priced(use_list_prices=True)), priced_catalog)
    assert line(required, "dgx-h100")["price"] == 400_000.0
    assert line(required, "dgx-h100")["price_source"].startswith("list price")
    assert line(bill.add(plain(priced()), priced_catalog), "dgx-h100")["price"] is None
    foreign = bill.add(plain(priced(use_list_prices=True, currency="EUR")), priced_catalog)
    assert line(foreign, "dgx-h100")["price"] is None


def test_a_list_price_carries_its_date(plain, parts_catalog):
    source = Source(doc="Price list", url="https://example.org", date="2026-09-01", level="read", covers=["list_*"])
    old = parts_catalog.servers["dgx-h100"]
    server = old.model_copy(update={"list_price_usd": 400_000.0, "sources": [*old.sources, source]})
    priced_catalog = replace(parts_catalog, servers={**parts_catalog.servers, "dgx-h100": server})
    quote = price(of_part(server, 1), plain(priced(use_list_prices=True)).site, priced_catalog)
    assert quote == Price(400_000.0, "list price of 2026-09-01 (Price list)")


def test_spares_are_bought_too(plain):
    plain_design = plain(priced(prices={"dgx-h100:psu": 1_000.0}))
    psu = line(plain_design, "dgx-h100:psu")
    assert (psu["kind"], psu["quantity"], psu["included_in"]) == ("spare", 0, None)
    assert psu["total"] == psu["spares"] * 1_000.0 > 0
    assert plain_design.studies["bill"]["total_spares"] == psu["total"]
    without = bill.add(bill.count(replace(plain_design, studies={}), catalog.load()), catalog.load())
    assert without.bill["spares"].sum() == 0


def test_a_twin_cable_is_one_piece_between_two_devices(example):
    sku = example.cables.filter(pl.col("kind") == "leaf_spine")["sku"][0]
    between = example.cables.filter(pl.col("sku") == sku)
    single, twin = (
        links.cable_counts(with_part(example, sku, links=number, splits=1)).filter(pl.col("sku") == sku)
        for number in (1, 2)
    )
    assert single["count"].sum() == len(between)
    pairs = between.group_by("a_device", "b_device", "length_meters").len()["len"]
    assert twin["count"].sum() == sum(-(-count // 2) for count in pairs)


def test_a_splitter_is_counted_where_its_one_cage_is(example):
    sku = example.cables.filter(pl.col("fabric") == "inband")["sku"][0]
    mine = example.cables.filter(pl.col("sku") == sku)
    split = links.cable_counts(with_part(example, sku, links=2, splits=2)).filter(pl.col("sku") == sku)
    ends = mine.group_by("b_device", "length_meters").len()["len"]
    assert split["count"].sum() == sum(-(-count // 2) for count in ends)


def test_transceivers_stand_at_both_ends(example, parts_catalog):
    bare = {
        name: part.model_copy(update={"optic": None, "node_optic": None}) for name, part in example.cable_parts.items()
    }
    assert transceivers(replace(example, cable_parts=bare), parts_catalog) == {}
    sku = example.cables.filter(pl.col("kind") == "uplink")["sku"][0]
    single = with_part(replace(example, cable_parts=bare), sku, optic="some-optic")
    mine = example.cables.filter(pl.col("sku") == sku)
    assert set(mine["kind"]) <= {"uplink", "isl", "node_leaf", "leaf_spine"}
    assert transceivers(single, parts_catalog) == {"some-optic": 2 * len(mine)}


def test_ports_of_a_server_share_a_transceiver_where_they_share_a_cage(example, parts_catalog):
    """A DGX H100 has four twin cages towards the compute fabric, and two single ones towards storage."""
    nodes = example.node_table.filter(pl.col("role") == "accelerator")["node"].to_list()
    for fabric, each, near in (("compute", 4, "mma4z00-ns-flt"), ("storage", 2, "mma1z00-ns400")):
        cables = example.cables.filter((pl.col("fabric") == fabric) & pl.col("a_device").is_in(nodes))
        counts = transceivers(replace(example, cables=cables), parts_catalog)
        leaves = cables.group_by("b_device").len()["len"]
        assert counts == {near: 31 * each, "mma4z00-ns": sum(-(-count // 2) for count in leaves)}


def test_lanes_of_one_port_share_its_transceiver(parts_catalog):
    split = sizing.size_site(sizing.SizeRequest(16, "dgx-b300", "roce-dual-plane"), parts_catalog).design
    lanes = split.cables.filter((pl.col("a_device") == "train-001") & pl.col("a_port").is_in(["mlx5_0", "mlx5_1"]))
    counts = transceivers(replace(split, cables=lanes), parts_catalog)
    assert counts == {"mma4z00-ns-flt": 1, "mma4z00-ns": 2}, "one at the port, one at each leaf"


def test_plant_comes_from_its_tables(example, parts_catalog):
    ups, pdu = next(iter(parts_catalog.ups)), next(iter(parts_catalog.pdus))
    rows = [
        ("A-ups1", "ups", None, "A", None, ups),
        ("A-ups2", "ups", None, "A", None, ups),
        ("r1-A1", "pdu", "A", "A", "r1", pdu),
    ]
    names = ["element", "kind", "parent", "feed", "rack", "sku"]
    table = pl.DataFrame(rows, schema=names, orient="row").with_columns(
        **{name: pl.lit(None, dtype=kind) for name, kind in example.power.schema.items() if name not in names}
    )
    study = {
        "loops": [{"header": {"pipe": "DN100", "count": 2, "run_meters": 100.0}}, {"header": None}],
        "leak_detectors": [{"sku": next(iter(parts_catalog.leak_detectors)), "watches": "rack", "count": 7}],
    }
    changed_design = replace(
        example, power=table.select(example.power.columns), studies={**example.studies, "cooling": study}
    )
    result = {line.sku: line.quantity for line in plant.lines(changed_design, parts_catalog)}
    assert (result[ups], result[pdu]) == (2, 1)
    assert result[next(iter(parts_catalog.leak_detectors))] == 7


def test_coolant_fills_the_bore_of_the_headers():
    assert plant.header_liters("DN100", 2, 100.0) == pytest.approx(2 * 3.14159 / 4 * 1.082**2 * 1000, rel=1e-4)


@given(count=st.integers(1, 96), unit=st.sampled_from([8, 16, 32]))
@examples(15, dear=True)
def test_sums_conserve(count, unit):
    built_design = sized(count - (count % unit == 0), unit) if count > 1 else sized(1, unit)
    kinds = dict(built_design.bill.group_by("kind").agg(pl.col("quantity").sum()).iter_rows())
    devices = dict(built_design.devices.group_by("kind").len().iter_rows())
    assert (kinds["server"], kinds["switch"]) == (devices["server"], devices["switch"])
    assert kinds["rack"] == len(built_design.racks)
    assert kinds["accelerator"] == built_design.totals["accelerators"]
    pieces = dict(
        built_design.bill.filter(pl.col("kind") == "cable").group_by("sku").agg(pl.col("quantity").sum()).iter_rows()
    )
    rows = dict(built_design.cables.group_by("sku").len().iter_rows())
    assert set(pieces) == set(rows)
    for sku, number in pieces.items():
        carried = built_design.cable_parts[sku].links
        assert number <= rows[sku] <= number * carried


def test_the_bill_is_always_the_same_and_in_any_order_of_cables(example, parts_catalog):
    again = bill.add(bill.count(replace(example, cables=example.cables.reverse()), parts_catalog), parts_catalog)
    assert again.bill.equals(example.bill)
    assert json.loads(json.dumps(example.studies["bill"])) == example.studies["bill"]


def test_the_bill_has_its_columns(example):
    assert example.bill["sku"].null_count() == 0
    assert set(example.bill["unit"]) == {"piece"}
    assert example.bill.select("sku", "length_meters", "included_in").is_duplicated().sum() == 0
