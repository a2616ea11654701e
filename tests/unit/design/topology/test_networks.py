from __future__ import annotations

from collections import Counter

import polars as pl
import pytest

from rackwright.base.errors import ProblemsError


def scale(units, ufm=False):
    """The example with `units` scalable units: full without UFM, one node short with UFM on the free ports."""

    def change(data):
        data["pools"][0]["count"] = 32 * units - ufm
        data["facility"]["halls"][0]["rows"] = 60
        data["facility"]["power"]["feed_kw"] = 40_000
        data["fabrics"][2]["subnet"], data["fabrics"][3]["subnet"] = "10.64.0.0/16", "10.65.0.0/16"
        if not ufm:
            del data["control"]["ufm"]

    return change


def test_the_example_is_the_published_unit(example):
    compute = example.totals["fabrics"]["compute"]
    assert (compute["leaf"], compute["spine"], compute["core"]) == (8, 4, 0)
    assert (compute["cables"]["node_leaf"], compute["cables"]["leaf_spine"]) == (252, 256)
    assert compute["injection_gbps"] == 31 * 8 * 400
    assert compute["bisection_gbps"] == 31 * 8 * 400 / 2


# NVIDIA RA-11333-001 V11, scale table.
@pytest.mark.parametrize(
    ("units", "leaf", "spine", "core", "leaf_spine", "spine_core"),
    [(2, 16, 8, 0, 512, 0), (4, 32, 16, 0, 1024, 0), (8, 64, 32, 0, 2048, 0), (16, 128, 128, 64, 4096, 4096)],
)
def test_published_scale_table(expanded, units, leaf, spine, core, leaf_spine, spine_core):
    design = expanded(scale(units))
    compute = design.totals["fabrics"]["compute"]
    assert (compute["leaf"], compute["spine"], compute["core"]) == (leaf, spine, core)
    cables = compute["cables"]
    assert (cables["node_leaf"], cables["leaf_spine"], cables["spine_core"]) == (256 * units, leaf_spine, spine_core)
    ends = Counter(zip(design.cables["b_device"], design.cables["b_port"], strict=True))
    ends.update(zip(design.cables["a_device"], design.cables["a_port"], strict=True))
    assert max(ends.values()) == 1
    core_links = design.cables.filter(pl.col("kind") == "spine_core")
    assert len(set(Counter(core_links["b_device"]).values())) == (1 if core else 0)
    assert len(set(Counter(core_links["a_device"]).values())) == (1 if core else 0)


# NVIDIA RA-11333-001 V11, table 4: compute fabric component count, UFM included.
@pytest.mark.parametrize(
    ("units", "nodes", "leaf", "spine", "node_leaf", "leaf_spine"),
    [(1, 31, 8, 4, 252, 256), (2, 63, 16, 8, 508, 512), (3, 95, 24, 16, 764, 768), (4, 127, 32, 16, 1020, 1024)],
)
def test_published_component_count(expanded, units, nodes, leaf, spine, node_leaf, leaf_spine):
    totals = expanded(scale(units, ufm=True)).totals
    compute = totals["fabrics"]["compute"]
    assert (totals["nodes"], totals["accelerators"]) == (nodes, 8 * nodes)
    assert (compute["leaf"], compute["spine"]) == (leaf, spine)
    assert (compute["cables"]["node_leaf"], compute["cables"]["leaf_spine"]) == (node_leaf, leaf_spine)


def test_rail_r_hangs_on_leaf_r(example):
    rails = {
        row["port"]: row["rail"] for row in example.ports.filter(pl.col("device") == "train-001").iter_rows(named=True)
    }
    for node in example.nodes("accelerator"):
        for link in (link for link in example.links(node.name) if link.fabric == "compute"):
            assert link.remote_device == f"compute-leaf-{rails[link.port] + 1:02d}"
            assert link.remote_port == str(node.index)


def test_ufm_takes_the_free_leaf_ports(example):
    links = [link for name in ("ufm-01", "ufm-02") for link in example.links(name) if link.fabric == "compute"]
    assert [(link.remote_device, link.remote_port) for link in links] == [
        (f"compute-leaf-0{i}", "32") for i in (1, 2, 3, 4)
    ]


def test_the_32nd_node_leaves_no_port_for_ufm(expanded):
    with pytest.raises(ProblemsError) as raised:
        expanded(lambda data: data["pools"][0].update(count=32))
    (problem,) = raised.value.problems
    assert (problem.code, problem.path) == ("design.port_budget", "pools[0].count")


def test_without_ufm_the_32nd_node_fits(expanded):
    assert expanded(scale(1)).totals["fabrics"]["compute"]["cables"]["node_leaf"] == 256


def test_two_leaves_are_joined_directly_at_the_declared_ratio(example):
    storage = example.totals["fabrics"]["storage"]
    assert (storage["leaf"], storage["spine"], storage["cables"]["isl"]) == (
        2,
        0,
        25,
    )  # 33 ports of servers on a leaf, at 4:3


def test_a_fat_tree_always_has_spines(expanded):
    """Two here, for the fabric survives the loss of a switch."""
    storage = expanded(lambda data: data["fabrics"][1].update(topology="fat-tree")).totals["fabrics"]["storage"]
    assert (storage["leaf"], storage["spine"], storage["cables"]["isl"]) == (2, 2, 0)


def test_every_node_is_on_both_leaves_of_storage_and_in_band(example):
    for fabric in ("storage", "inband"):
        for node in example.nodes("accelerator"):
            far = [link.remote_device for link in example.links(node.name) if link.fabric == fabric]
            assert far == [f"{fabric}-leaf-01", f"{fabric}-leaf-02"]


def test_management_reaches_every_bmc_and_every_switch_of_the_other_fabrics(example):
    oob = example.cables.filter((pl.col("fabric") == "oob") & (pl.col("kind") == "node_leaf"))
    switches = example.devices.filter((pl.col("kind") == "switch") & (pl.col("role") != "management"))["device"]
    assert set(oob["a_device"]) == {node.name for node in example.nodes()} | set(switches)
    uplinks = example.cables.filter(pl.col("kind") == "uplink")
    assert Counter(uplinks["a_device"]) == {"oob-switch-01": 2, "oob-site-switch-01": 2}
    assert Counter(uplinks["b_device"]) == {"inband-leaf-01": 2, "inband-leaf-02": 2}


def test_many_leaves_per_unit_when_a_unit_is_larger_than_a_leaf(expanded):
    def change(data):
        scale(2)(data)
        data["pools"][0]["scalable_unit"] = 64

    compute = expanded(change).totals["fabrics"]["compute"]
    assert (compute["leaf"], compute["spine"], compute["cables"]["node_leaf"]) == (16, 8, 512)


def test_more_leaves_than_three_tiers_carry(expanded, parts_catalog):
    small = parts_catalog.switches["qm9700"].model_copy(
        update={"ports": parts_catalog.switches["qm9700"].ports.model_copy(update={"count": 4})}
    )
    parts_catalog.switches["tiny"] = small.model_copy(update={"sku": "tiny"})
    try:
        with pytest.raises(ProblemsError, match="cannot be connected within three tiers of tiny"):
            expanded(lambda data: data["fabrics"][0].update(switch="tiny"))
    finally:
        del parts_catalog.switches["tiny"]


def test_subnet_managers_need_no_uplinks(expanded, data):
    def change(data):
        data["pools"][0].update(count=16, scalable_unit=16)

    with_ufm = expanded(change).totals["fabrics"]["compute"]["cables"]
    assert (with_ufm["node_leaf"], with_ufm["leaf_spine"]) == (16 * 8 + 4, 16 * 8)
