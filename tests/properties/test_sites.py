"""Whatever site is declared: it is refused in problems, or its design adds up, and no loss makes it better."""

from __future__ import annotations

import copy
import json
import random
from functools import lru_cache
from pathlib import Path
from typing import Any

import polars as pl
from hypothesis import HealthCheck, assume, given, seed
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from rackwright import catalog, compat, design
from rackwright.base.errors import ProblemsError
from rackwright.design import whatif
from rackwright.model.design import Design
from rackwright.model.schemas import SCHEMAS
from rackwright.model.site import Site
from rackwright.spec import crosscheck
from tests.examples import FUZZ, examples

KNOWN = catalog.load()
CALM = examples(25, dear=True, suppress=(HealthCheck.filter_too_much,))
SAME_SITES = (lambda test: test) if FUZZ else seed(15)
"""Tests that look at one design each try the same sites, so that each site is expanded once; `make fuzz` tries others for every test."""
COMPUTE = {
    "dgx-h100": ("infiniband", ["qm9700", "q3400-ra"]),
    "dgx-b200": ("roce", ["sn5600", "sn5400"]),
    "dgx-b300": ("roce", ["sn5600", "sn6600"]),
    "dgx-a100": ("infiniband", ["qm8700", "qm9700"]),
    "mi300x-8u": ("roce", ["sn5600", "tomahawk5-64x800"]),
    "mi355x-dlc-4u": ("roce", ["sn5600"]),
    "gaudi3-8u": ("roce", ["sn5600"]),
    "l40s-2u": ("roce", ["sn5400"]),
}
TOPOLOGIES = [
    "rail-optimized",
    "fat-tree",
    "leaf-spine",
    "collapsed-core",
    "full-mesh",
    "dragonfly",
    "dragonfly-plus",
]


@st.composite
def fabrics(draw: Any, server: str) -> list[dict[str, Any]]:
    transport, switches = COMPUTE[server]
    compute = {"name": "compute", "role": "compute", "transport": transport, "pools": ["train"]}
    compute |= {"topology": draw(st.sampled_from(TOPOLOGIES)), "switch": draw(st.sampled_from(switches))}
    compute |= {"oversubscription": draw(st.sampled_from([1, 1, 1.33, 2, 3]))}
    compute |= draw(st.sampled_from([{}, {}, {"planes": 2}, {"rail_planes": True}, {"leaf_group": "rack"}]))
    compute |= draw(
        st.sampled_from([{}, {}, {"tiers": 2}, {"tiers": 3}, {"leaf_down": 16}, {"reserved": {"growth": 2}}])
    )
    fabric_list = [compute]
    (storage,) = [group for group in KNOWN.servers[server].ports if group.role == "storage"] or [None]
    if storage and draw(st.booleans()):
        switch = {400: "sn5400", 200: "sn4600", 100: "sn4600c"}[storage.gbps]
        declared = {"name": "storage", "role": "storage", "transport": "roce", "topology": "leaf-spine"}
        fabric_list.append(
            declared | {"pools": ["train"], "switch": switch, "subnet": "10.192.0.0/12", "oversubscription": 1.33}
        )
    inband = {"name": "inband", "role": "inband", "transport": "ethernet", "topology": "leaf-spine"}
    fabric_list.append(inband | {"switch": "sn4600c", "oversubscription": 2, "subnet": "10.64.0.0/12"})
    oob = {"name": "oob", "role": "bmc", "transport": "ethernet", "topology": "management"}
    return [*fabric_list, oob | {"switch": "sn2201", "subnet": "10.96.0.0/12"}]


@st.composite
def power(draw: Any) -> dict[str, Any]:
    feeds = draw(st.integers(2, 4))
    fields: dict[str, Any] = {"feeds": list("ABCD"[:feeds]), "feed_kw": draw(st.sampled_from([50, 400, 4000]))}
    fields["survive"] = {"feeds": draw(st.integers(0, 1)), "psus": draw(st.integers(0, 1))}
    fields["circuit"] = {"volts": 415, "amps": draw(st.sampled_from([32, 60])), "phases": 3}
    if draw(st.booleans()):
        fields |= {"ups": {"sku": "galaxy-vs-150", "per_feed": draw(st.integers(1, 6))}, "rack_pdu": "pdu-415v-60a"}
    if draw(st.booleans()):
        fields["busway"] = "busway-800a-415v"
    return fields


@st.composite
def facilities(draw: Any, liquid: bool) -> dict[str, Any]:
    rows, length = draw(st.integers(1, 9)), draw(st.integers(8, 20))
    hall = {"rows": rows, "racks_per_row": length, "floor_load_kg_per_rack": draw(st.sampled_from([400, 1500]))}
    halls = [{"name": "hall-1"} | hall] + ([{"name": "hall-2"} | hall] if draw(st.booleans()) else [])
    fields: dict[str, Any] = {"halls": halls, "power": draw(power())}
    if len(halls) > 1 and draw(st.booleans()):
        fields["routes"] = [{"halls": ["hall-1", "hall-2"], "meters": draw(st.sampled_from([30, 400, 5000]))}]
    if draw(st.booleans()):
        sets = [{"sku": "crah-100kw", "count": draw(st.integers(2, 9)), "hall": crah["name"]} for crah in halls]
        fields["air"] = {"crahs": sets, "containment": "hot-aisle"}
    if liquid:
        sets = [{"sku": "xdu1350", "count": draw(st.integers(2, 3)), "hall": hall["name"]} for hall in halls]
        fields["liquid"] = {"cdus": sets, "supply_celsius": draw(st.sampled_from([30, 44])), "delta_t_kelvin": 10}
    return fields


@st.composite
def sites(draw: Any) -> dict[str, Any]:
    server = draw(st.sampled_from(sorted(COMPUTE)))
    pool = {"name": "train", "server": server, "count": draw(st.integers(1, 70)), "scheduler": "none"}
    pool |= {"servers_per_rack": draw(st.integers(1, 5)), "scalable_unit": draw(st.sampled_from([4, 16, 31, 32, 64]))}
    pools = [pool]
    if draw(st.booleans()):
        more = {"name": "aside", "server": "cpu-node-2u", "count": draw(st.integers(1, 9)), "scheduler": "none"}
        pools.append(more | {"servers_per_rack": 4, "scalable_unit": 8})
    storage = {"name": "scratch", "tier": "parallel", "read_gbytes_per_s": 40, "write_gbytes_per_s": 20}
    storage |= {"capacity_pbytes": draw(st.sampled_from([0.5, 5.0]))}
    if draw(st.booleans()):
        storage["servers"] = {"server": draw(st.sampled_from(["storage-nvme-2u", "storage-hdd-4u"])), "count": 3}
    control: dict[str, Any] = {"ntp_servers": ["10.64.0.2"]}
    if draw(st.booleans()):
        control["ufm"] = {"servers": {"server": "ufm-appliance-3", "count": draw(st.integers(1, 2))}}
    accelerator = KNOWN.accelerators.get(KNOWN.servers[server].accelerator or "")
    versions = compat.reference(accelerator.vendor) if accelerator else {}
    return {
        "apiVersion": "rackwright/v1",
        "site": "some-site",
        "region": "here",
        "facility": draw(facilities(liquid=KNOWN.servers[server].liquid is not None)),
        "pools": pools,
        "fabrics": draw(fabrics(server)),
        "storage": [storage] if draw(st.booleans()) else [],
        "control": control,
        "software": {"apt_mirror": "http://10.64.0.2/apt"} | versions,
    }


def expanded(data: dict[str, Any]) -> Design:
    """The design, or nothing when the site is refused; a traceback is neither."""
    site_design = _expanded(json.dumps(data))
    assume(site_design is not None)
    assert site_design is not None
    return site_design


@lru_cache(maxsize=256)
def _expanded(text: str) -> Design | None:
    site = Site.model_validate(json.loads(text))
    if crosscheck.crosscheck_site(site, KNOWN, Path()):
        return None
    try:
        return design.expand(site, KNOWN)
    except ProblemsError as error:
        incomplete = [
            problem for problem in error.problems if not (problem.expected and problem.found and problem.next_step)
        ]
    assert not incomplete
    return None


def table(site_design: Design, name: str) -> pl.DataFrame:
    rows: pl.DataFrame = site_design.node_table if name == "nodes" else getattr(site_design, name)
    return rows


@SAME_SITES
@given(sites())
@CALM
def test_every_cable_has_two_ends_in_stock(data):
    site_design = expanded(data)
    ends = pl.concat(
        [
            site_design.cables.select(
                pl.col(f"{side}_device").alias("device"), pl.col(f"{side}_port").alias("port"), "cable"
            )
            for side in ("a", "b")
        ]
    )
    assert not ends.select("device", "port").is_duplicated().any(), "a port is used twice"
    without_port = ends.join(site_design.ports, on=["device", "port", "cable"], how="anti")
    assert without_port.is_empty(), "a cable ends at a port that is not there or has another cable"
    assert site_design.ports["cable"].drop_nulls().len() == ends.height
    assert not site_design.cables["cable"].is_duplicated().any()
    assert set(ends["device"]) <= set(site_design.devices["device"])
    for sku, length in site_design.cables.select("sku", "length_meters").unique().iter_rows():
        assert length is None or length in KNOWN.cables[sku].lengths_meters or length > KNOWN.cables[sku].max_meters
    reserved = site_design.ports.filter(pl.col("reserved").is_not_null())
    assert reserved["cable"].is_null().all()


@SAME_SITES
@given(sites())
@CALM
def test_sums_conserve(data):
    site_design = expanded(data)
    watts = int(site_design.devices["peak_watts"].sum())
    assert site_design.racks["peak_watts"].sum() == watts
    assert site_design.racks["liquid_watts"].sum() + site_design.racks["air_watts"].sum() == watts
    assert round(site_design.totals["it_kw"] * 1000) == watts
    fed = site_design.devices.join(site_design.psus.select("device").unique(), on="device", how="semi")[
        "peak_watts"
    ].sum()
    shelves = site_design.psus.filter(~pl.col("device").is_in(site_design.devices["device"].implode())).height
    assert shelves or abs(site_design.circuits["load_watts"].sum() - fed) < 1 + len(site_design.circuits)
    assert site_design.totals["nodes"] == site_design.node_table.filter(pl.col("role") == "accelerator").height
    assert site_design.totals["nodes"] == sum(pool["count"] for pool in data["pools"])
    assert site_design.totals["racks"] == site_design.racks.height
    assert set(site_design.devices["rack"]) == set(site_design.racks["rack"])
    bought = dict(
        site_design.bill.filter(pl.col("kind").is_in(["server", "switch"])).select("sku", "quantity").iter_rows()
    )
    assert bought == dict(site_design.devices.group_by("sku").len().iter_rows())
    units = site_design.devices.select("rack", pl.int_ranges("unit", pl.col("unit") + pl.col("rack_units")).alias("u"))
    assert not units.explode("u").is_duplicated().any(), "two devices in one rack unit"
    assert not site_design.addresses.select("network", "address").is_duplicated().any()


def turned(value: Any, turn: random.Random) -> Any:
    """The same with the keys of every mapping in another order."""
    if isinstance(value, list):
        return [turned(entry, turn) for entry in value]
    if not isinstance(value, dict):
        return value
    keys = list(value)
    turn.shuffle(keys)
    return {key: turned(value[key], turn) for key in keys}


@given(sites(), st.randoms(use_true_random=False))
@examples(12, dear=True, suppress=(HealthCheck.filter_too_much,))
def test_order_of_keys_and_repetition_change_nothing(data, turn):
    before, after = expanded(data), expanded(turned(copy.deepcopy(data), turn))
    assert before.totals == after.totals
    for name in SCHEMAS:
        assert_frame_equal(table(before, name), table(after, name))


@given(sites(), st.randoms(use_true_random=False))
@CALM
def test_losing_more_is_never_better(data, turn):
    site_design = expanded(data)
    feeds = site_design.site.facility.power.feeds
    racks = site_design.racks["rack"].to_list()
    switches = site_design.devices.filter(pl.col("kind") == "switch")["device"].to_list()
    clauses = [f"feed {turn.choice(feeds)}", f"rack {turn.choice(racks)}", f"switch {turn.choice(switches)}"]
    turn.shuffle(clauses)
    losses = ""
    nodes, bandwidth = site_design.totals["nodes"], dict.fromkeys(site_design.totals["fabrics"], 1.0)
    for clause in clauses:
        losses = f"{losses} and {clause}" if losses else f"lose {clause}"
        result = whatif.simulate_scenario(site_design, whatif.parse_scenario(losses))
        assert result.nodes_left <= nodes, losses
        shares = {fabric.fabric: fabric.bisection_share for fabric in result.fabrics}
        assert all(shares[name] <= bandwidth[name] + 1e-4 for name in shares), losses
        nodes, bandwidth = result.nodes_left, shares
    for row in site_design.losses.iter_rows(named=True):
        assert 0 <= row["remaining_share"] <= 1
        assert 0 <= row["nodes_down"] <= site_design.totals["nodes"] + site_design.node_table.height


@SAME_SITES
@given(sites())
@CALM
def test_a_node_more_changes_no_other_name(data):
    pool = data["pools"][0]
    assume(pool["count"] % pool["scalable_unit"])
    before = expanded(data)
    data["pools"][0] = pool | {"count": pool["count"] + 1}
    after = expanded(data)
    assert after.node_table.height == before.node_table.height + 1
    for name, columns in (
        ("nodes", ["node", "rack", "unit", "index", "inband_address", "bmc_address"]),
        ("addresses", SCHEMAS["addresses"]),
        ("racks", ["rack", "hall", "row", "position"]),
        ("devices", ["device", "rack", "unit", "scalable_unit", "index"]),
    ):
        rows = table(before, name).select(list(columns))
        assert rows.join(table(after, name), on=list(columns), how="anti", nulls_equal=True).is_empty(), name
    wires = ["cable", "a_device", "a_port", "b_device", "b_port"]
    assert before.cables.join(after.cables, on=wires, how="anti").is_empty()


@SAME_SITES
@given(sites())
@CALM
def test_rules_judge_every_design(data):
    site_design = expanded(data)
    for verdict in design.rules.run_rules(site_design):
        assert verdict.says.endswith(".")
        assert verdict.outcome in ("pass", "not_run") or verdict.source
        assert verdict.outcome != "fail" or verdict.next_step, verdict.check
