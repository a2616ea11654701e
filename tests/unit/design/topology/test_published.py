"""Counts of published designs, each built from its inputs: servers, units, switches, tiers."""

from __future__ import annotations

import pytest

from rackwright.base.errors import ProblemsError
from tests.unit.design.topology.sites import assert_sound, built, counts


# NVIDIA RA-11333-001 V11 (DGX H100, 2023-09-22) and RA-11334-001 V08 (DGX B200, 2025-04-24): scale tables. Rows of two
# tiers print a spine-core count although they have no cores; it is 0.
@pytest.mark.parametrize(
    ("server", "units", "leaf", "spine", "core", "cables"),
    [
        ("dgx-h100", 4, 32, 16, 0, 1024),
        ("dgx-h100", 8, 64, 32, 0, 2048),
        ("dgx-h100", 16, 128, 128, 64, 4096),
        ("dgx-h100", 32, 256, 256, 128, 8192),
        ("dgx-h100", 64, 512, 512, 256, 16384),
        ("dgx-b200", 2, 16, 8, 0, 512),
        ("dgx-b200", 4, 32, 16, 0, 1024),
        ("dgx-b200", 8, 64, 32, 0, 2048),
        ("dgx-b200", 16, 128, 128, 64, 4096),
        ("dgx-b200", 32, 256, 256, 128, 8192),
        ("dgx-b200", 64, 512, 512, 256, 16384),
    ],
)
@pytest.mark.parametrize("declared", [False, True])
def test_superpod(network, server, units, leaf, spine, core, cables, declared):
    tiers = {"tiers": 3 if core else 2, "leaf_down": 32, "leaf_up": 32} if declared else {}
    fabric_network = network(server, 32 * units, 32, **tiers)
    tier_counts = counts(fabric_network)
    assert (tier_counts["leaf"], tier_counts["spine"], tier_counts.get("core", 0)) == (leaf, spine, core)
    assert (tier_counts["node_leaf"], tier_counts["leaf_spine"], tier_counts.get("spine_core", 0)) == (
        cables,
        cables,
        cables if core else 0,
    )
    assert_sound(fabric_network)


# RA-11333-001 V11: three units have 16 spines where 12 would carry the links. XDR: Q3400-RA of 144 ports, 72 nodes a unit.
# GB200: a leaf per rack and rail with 18 hosts, eight racks a unit, six spines per rail and nine cores per unit.
def test_spines_between_two_divisors(network):
    assert counts(network("dgx-h100", 96))["spine"] == 16
    for units, spines in ((4, 18), (8, 36)):
        xdr = network("dgx-b300", 72 * units, 72, switch="q3400-ra")
        assert counts(xdr)["spine"] == spines
        assert_sound(xdr)


@pytest.mark.parametrize("units", [1, 2, 4, 16])
def test_racks_with_pods_per_rail(network, units):
    fabric_network = network("gb200-nvl72", 144 * units, 144, 18, leaf_group="rack", tiers=3)
    tier_counts = counts(fabric_network)
    assert (tier_counts["leaf"], tier_counts["spine"], tier_counts["core"]) == (32 * units, 24 * units, 9 * units)
    assert tier_counts["leaf_spine"] == tier_counts["spine_core"] == 576 * units
    assert_sound(fabric_network)


# Hosts 2 (k/2)^L: k^2/2 with two tiers, k^3/4 with three.
@pytest.mark.parametrize(
    ("radix", "tiers", "hosts", "leaf", "spine", "core"),
    [
        (16, 2, 128, 16, 8, 0),
        (16, 3, 1024, 128, 128, 64),
        (32, 2, 512, 32, 16, 0),
        (32, 3, 8192, 512, 512, 256),
    ],
)
def test_fat_tree_of_a_radix(described_site, parts_catalog, monkeypatch, radix, tiers, hosts, leaf, spine, core):
    part = parts_catalog.switches["qm9700"]
    small = part.model_copy(update={"sku": "k", "ports": part.ports.model_copy(update={"count": radix})})
    monkeypatch.setitem(parts_catalog.switches, "k", small)
    built_networks = built(
        described_site("dgx-h100", hosts // 8, radix // 2, topology="fat-tree", switch="k", tiers=tiers), parts_catalog
    )
    tier_counts = counts(built_networks[0])
    assert (tier_counts["node_leaf"], tier_counts["leaf"], tier_counts["spine"], tier_counts.get("core", 0)) == (
        hosts,
        leaf,
        spine,
        core,
    )
    assert tier_counts["leaf_spine"] == hosts
    one_more = described_site("dgx-h100", hosts // 8 + 1, radix // 2, topology="fat-tree", switch="k", tiers=tiers)
    with pytest.raises(ProblemsError, match="cannot be connected"):
        built(one_more, parts_catalog)


# opencomputeproject/OCP-OCDAI-training-fabric, netbox_inventory.json of clos-ro and dual-plane compositions (2026-01-14):
# switches of 64 x 800 Gb/s, half of the ports as 2 x 400 Gb/s to hosts, 32 uplinks of 800 Gb/s.
@pytest.mark.parametrize(
    ("server", "planes", "nodes", "leaf", "spine"),
    [
        ("dgx-h100", 1, 8, 1, 1),
        ("dgx-h100", 1, 16, 2, 1),
        ("dgx-h100", 1, 32, 4, 2),
        ("dgx-h100", 1, 64, 8, 4),
        ("dgx-h100", 1, 128, 16, 8),
        ("dgx-b300", 2, 32, 8, 4),
        ("dgx-b300", 2, 64, 16, 8),
    ],
)
def test_breakouts_towards_hosts(network, server, planes, nodes, leaf, spine):
    fabric = {"transport": "roce", "topology": "fat-tree", "switch": "tomahawk5-64x800", "link_gbps": 800, "tiers": 2}
    fabric_network = network(server, nodes, min(nodes, 64), **fabric, leaf_up=32, planes=planes)
    tier_counts = counts(fabric_network)
    assert (tier_counts["leaf"], tier_counts["spine"]) == (leaf, spine)
    assert tier_counts["leaf_spine"] == 32 * leaf
    assert {(w.kind, w.gbps) for w in fabric_network.wires} == {("node_leaf", 400), ("leaf_spine", 800)}
    assert_sound(fabric_network)


# NVIDIA/enterprise-ras, spectrum-era 2-4-3-200, 2-8-5-200, 2-8-9-400: topology files with 32, 40 and 48 links between the
# two cores, for 16 and 20 nodes of four east-west links and 12 nodes of eight.
@pytest.mark.parametrize(("nodes", "adapters", "links"), [(16, 4, 32), (20, 4, 40), (12, 8, 48)])
def test_collapsed_core(described_site, parts_catalog, monkeypatch, nodes, adapters, links):
    server = parts_catalog.servers["dgx-h100"]
    ports = [server.ports[0].model_copy(update={"count": adapters, "names": server.ports[0].names[:adapters]})]
    monkeypatch.setitem(
        parts_catalog.servers, "dgx-h100", server.model_copy(update={"ports": ports + server.ports[1:]})
    )
    site = described_site(
        "dgx-h100", nodes, nodes, topology="collapsed-core", transport="roce", switch="sn5600", pools=["train"]
    )
    built_design = built(site, parts_catalog)[0]
    assert counts(built_design) == {"core": 2, "node_leaf": nodes * adapters, "isl": links}
    assert_sound(built_design)


# RA for DGX B300 on Ethernet: 64 nodes a unit, two leaves per rail; eight units do not fit under one plane of two tiers.
def test_a_plane_that_cannot_be_connected_names_what_would_do(network):
    fabric = {"switch": "sn5600", "transport": "roce", "tiers": 2}
    assert counts(network("dgx-b300", 256, 64, **fabric))["leaf"] == 64
    with pytest.raises(ProblemsError) as raised:
        network("dgx-b300", 512, 64, **fabric)
    (problem,) = raised.value.problems
    assert (problem.path, problem.code) == ("fabrics[0]", "design.port_budget")
    assert "128 leaves of 32 uplinks" in problem.found
    for step in (
        "tiers: 3 (128 leaves, 128 spines, 64 cores)",
        "planes: 2 (128 leaves, 64 spines)",
        "switch: sn6600 (64 leaves, 32 spines)",
        "4 scalable units of train, 256 nodes (64 leaves, 32 spines)",
    ):
        assert step in problem.next_step
    two = network("dgx-b300", 512, 64, **fabric, planes=2)
    assert (counts(two)["leaf"], counts(two)["spine"]) == (128, 64)


def test_more_spines_than_the_links_need(network):
    """Four leaves of 16 uplinks fill two spines; four are declared, each with a link of every leaf."""
    fabric = network("mi300x-8u", 16, 16, switch="sn5600", transport="roce", spines=4)
    assert fabric.count("spine") == 4
    assert network("mi300x-8u", 16, 16, switch="sn5600", transport="roce", survive={"switches": 1}).count("spine") == 2
    with pytest.raises(ProblemsError):
        network("mi300x-8u", 16, 16, switch="sn5600", transport="roce", spines=1000, tiers=2)
