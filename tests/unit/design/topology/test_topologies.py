"""What every topology promises, in numbers that follow from its formula."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from rackwright.base.errors import ProblemsError
from tests.unit.design.topology.sites import assert_sound, built, counts

ROCE = {"transport": "roce", "switch": "sn5600"}


def pairs(network, kind):
    """Links between every two switches."""
    result = Counter()
    for wires in network.wires:
        if wires.kind == kind:
            result.update(zip(wires.a.tolist(), wires.b.tolist(), strict=True))
    return result


@pytest.mark.parametrize(("over", "links"), [(1, 64), (2, 32), (4 / 3, 48)])
def test_links_of_a_collapsed_core(network, over, links):
    fabric_network = network("dgx-h100", 16, 16, topology="collapsed-core", **ROCE, oversubscription=over)
    assert counts(fabric_network) == {"core": 2, "node_leaf": 128, "isl": links}
    hosts = Counter(fabric_network.wires[0].b.tolist())
    assert set(hosts.values()) == {64}
    assert_sound(fabric_network)


def test_every_node_is_on_both_switches_of_a_collapsed_core(network):
    fabric_network = network("dgx-h100", 16, 16, topology="collapsed-core", **ROCE)
    on = Counter(zip(fabric_network.wires[0].a.tolist(), fabric_network.wires[0].b.tolist(), strict=True))
    assert len(on) == 32
    assert set(on.values()) == {4}


def test_a_collapsed_core_that_is_too_small(network):
    with pytest.raises(ProblemsError) as raised:
        network("dgx-h100", 64, 32, topology="collapsed-core")
    (problem,) = raised.value.problems
    assert "256 host ports of 400 Gb/s and 256 links" in problem.expected
    assert "topology: leaf-spine (16 leaves, 8 spines)" in problem.next_step


@pytest.mark.parametrize(("nodes", "leaves", "links"), [(32, 4, 16), (64, 8, 8), (128, 16, 4), (512, 64, 1)])
def test_full_mesh(network, nodes, leaves, links):
    """Uniform traffic: 1/L of the 64 hosts of a leaf to every other leaf."""
    fabric_network = network("dgx-h100", nodes, 32, topology="full-mesh", **ROCE)
    tier_counts = counts(fabric_network)
    assert (tier_counts["leaf"], tier_counts["isl"]) == (leaves, leaves * (leaves - 1) // 2 * links)
    joined = pairs(fabric_network, "isl")
    assert len(joined) == leaves * (leaves - 1) // 2
    assert set(joined.values()) == {links}
    assert_sound(fabric_network)


def test_full_mesh_as_declared(network):
    # opencomputeproject/OCP-OCDAI-training-fabric, opg-64 mesh-conv: two leaves, two links of 800 Gb/s between them.
    fabric_network = network("dgx-h100", 8, 8, topology="full-mesh", **ROCE, leaf_down=32, leaf_up=2, link_gbps=800)
    assert counts(fabric_network) == {"leaf": 2, "node_leaf": 64, "isl": 2}


def test_a_mesh_has_an_end(network):
    with pytest.raises(ProblemsError, match="a full mesh of qm9700 cannot take all hosts"):
        network("dgx-h100", 2048, 32, topology="full-mesh")


@pytest.mark.parametrize(
    ("nodes", "leaves", "elements", "cores", "links", "gbps"),
    [
        (16, 8, 2, 0, 20, None), (16, 8, 2, 0, 40, 400), (64, 29, 5, 0, 20, None), (576, 256, 40, 0, 40, None),
        (2048, 928, 290, 145, 20, None),
    ],
)  # fmt: skip
def test_scheduled(network, nodes, leaves, elements, cores, links, gbps):
    fabric = {
        "transport": "roce",
        "switch": "drivenets-ncp5300r",
        "spine_switch": "drivenets-ncf9300f",
        "link_gbps": gbps,
    }
    fabric_network = network("dgx-b300", nodes, 72 if nodes == 576 else min(nodes, 64), topology="scheduled", **fabric)
    tier_counts = counts(fabric_network)
    assert (tier_counts["leaf"], tier_counts["spine"], tier_counts.get("core", 0)) == (leaves, elements, cores)
    assert tier_counts["leaf_spine"] == links * leaves
    assert (
        len(
            set(
                Counter(
                    entry for wires in fabric_network.wires if wires.kind == "leaf_spine" for entry in wires.a.tolist()
                ).values()
            )
        )
        == 1
    )
    assert_sound(fabric_network)


# a = 2p = 2h, radix 4h - 1, at most 2h^2 + 1 groups, 4h^4 + 2h^2 hosts.
@pytest.mark.parametrize("half", [1, 2, 3])
def test_balanced_dragonfly(described_site, parts_catalog, monkeypatch, half):
    radix, hosts = 4 * half - 1, 4 * half**4 + 2 * half**2
    part, server = parts_catalog.switches["qm9700"], parts_catalog.servers["dgx-h100"]
    ports = part.ports.model_copy(update={"count": radix, "per_cage": 1, "breakouts": [1]})
    entry = [server.ports[0].model_copy(update={"count": 1, "names": ["mlx5_0"]}), *server.ports[1:]]
    monkeypatch.setitem(parts_catalog.switches, "k", part.model_copy(update={"sku": "k", "ports": ports}))
    monkeypatch.setitem(parts_catalog.servers, "dgx-h100", server.model_copy(update={"ports": entry}))
    built_design = built(described_site("dgx-h100", hosts, hosts, topology="dragonfly", switch="k"), parts_catalog)[0]
    groups, routers = 2 * half**2 + 1, 2 * half
    tier_counts = counts(built_design)
    assert (tier_counts["node_leaf"], tier_counts["leaf"]) == (hosts, groups * routers)
    assert tier_counts["isl"] == groups * routers * (routers - 1) // 2
    assert tier_counts["global"] == groups * (groups - 1) // 2
    assert_sound(built_design)
    with pytest.raises(ProblemsError, match="Dragonfly"):
        built(described_site("dgx-h100", hosts + 1, hosts + 1, topology="dragonfly", switch="k"), parts_catalog)


def group_of(network, size):
    ids = [member.id for member in network.members if member.tier == "leaf"]
    return {entry: at // size for at, entry in enumerate(ids)}


def test_global_links_are_even_over_pairs_of_groups(network):
    shape = {"switches_per_group": 8, "hosts_per_switch": 32, "global_links": 4}
    fabric_network = network("dgx-h100", 256, 32, topology="dragonfly", dragonfly=shape)
    tier_counts = counts(fabric_network)
    assert (tier_counts["leaf"], tier_counts["isl"], tier_counts["global"]) == (64, 8 * 28, 28 * 4)
    group = group_of(fabric_network, 8)
    joined = Counter()
    for (a, b), links in pairs(fabric_network, "global").items():
        joined[group[a], group[b]] += links
    assert len(joined) == 28
    assert set(joined.values()) == {4}
    per_router = Counter(
        np.concatenate([end for w in fabric_network.wires if w.kind == "global" for end in (w.a, w.b)]).tolist()
    )
    assert max(per_router.values()) - min(per_router.values()) <= 1
    assert_sound(fabric_network)


def test_dragonfly_plus_groups_are_leaf_spine(network):
    fabric_network = network("dgx-h100", 256, 32, topology="dragonfly-plus", dragonfly={"switches_per_group": 8})
    tier_counts = counts(fabric_network)
    groups = 8
    assert (tier_counts["leaf"], tier_counts["spine"]) == (64, 64)
    assert tier_counts["leaf_spine"] == 64 * 32
    assert set(pairs(fabric_network, "leaf_spine").values()) == {4}
    assert tier_counts["global"] == groups * (groups - 1) // 2 * (8 * 32 // (groups - 1))
    assert_sound(fabric_network)


def test_too_many_groups_for_the_declared_links(network):
    shape = {"switches_per_group": 2, "hosts_per_switch": 16, "global_links": 20}
    with pytest.raises(ProblemsError, match="Dragonfly"):
        network("dgx-h100", 256, 32, topology="dragonfly", dragonfly=shape)


NVLINK = {"role": "nvlink", "transport": "nvlink", "topology": "nvlink", "switch": "nvlink5-switch-tray"}


def test_nvl72(network):
    """72 accelerators x 18 links = 9 trays x 144 ports; one link to every one of the 18 chips."""
    fabric_network = network("gb200-nvl72", 34, 36, 18, **NVLINK)
    assert counts(fabric_network) == {"nvswitch": 18, "nvlink": 2 * 1296}
    (wires,) = fabric_network.wires
    accelerator = wires.a * 4 + (wires.a_port - wires.a_port.min()) // 18
    chip = wires.b * 2 + wires.b_port // 72
    assert set(Counter(zip(accelerator.tolist(), chip.tolist(), strict=True)).values()) == {1}
    assert set(Counter(accelerator.tolist()).values()) == {18}
    assert int(wires.there.sum()) == 34 * 4 * 18
    assert {member.rack for member in fabric_network.members} == {0, 1}
    assert_sound(fabric_network)


def test_trays_of_a_rack_that_is_not_there_yet(network):
    """Their numbers are kept, so that the rack that comes renames nothing."""
    fabric_network = network("gb200-nvl72", 40, 36, 18, **NVLINK)
    assert [member.present for member in fabric_network.members] == [True] * 27 + [False] * 9
    built_network = network("gb200-nvl72", 72, 36, 18, **NVLINK)
    assert [member.name for member in built_network.members] == [member.name for member in fabric_network.members]


def test_half_a_rack_still_reaches_every_chip(network):
    fabric_network = network("gb200-nvl72", 9, 9, 9, **NVLINK)
    assert counts(fabric_network) == {"nvswitch": 9, "nvlink": 648}
    assert_sound(fabric_network)


def test_more_accelerators_than_a_domain_joins(network):
    with pytest.raises(ProblemsError) as raised:
        network("gb200-nvl72", 20, 20, 20, **NVLINK)
    (problem,) = raised.value.problems
    assert (problem.path, problem.found) == ("pools[0].servers_per_rack", "80 accelerators: 20 nodes of 4")


@pytest.mark.parametrize("planes", [2, 4])
def test_every_plane_is_complete(network, planes):
    fabric_network = network("dgx-b300", 128, 64, **ROCE, planes=planes)
    kinds = Counter()
    for wires in fabric_network.wires:
        kinds[wires.kind, wires.plane] += len(wires)
    assert {plane for _, plane in kinds} == set(range(planes))
    for kind in ("node_leaf", "leaf_spine"):
        assert len({kinds[kind, plane] for plane in range(planes)}) == 1
    ends = {member.id: member.plane for member in fabric_network.members}
    for wires in fabric_network.wires:
        far = {ends[entry] for entry in wires.b.tolist()} | {ends[entry] for entry in wires.a.tolist() if entry in ends}
        assert far == {wires.plane}
    per_node = Counter(zip(fabric_network.wires[0].a.tolist(), fabric_network.wires[0].a_port.tolist(), strict=True))
    assert set(per_node.values()) == {1}
    assert_sound(fabric_network)


def test_two_ports_of_an_adapter_are_dealt_over_planes(described_site, parts_catalog, monkeypatch):
    server = parts_catalog.servers["dgx-h100"]
    group = server.ports[0].model_copy(
        update={"count": 16, "per_rail": 2, "gbps": 200, "names": [f"rdma{at}" for at in range(16)]}
    )
    monkeypatch.setitem(
        parts_catalog.servers, "dgx-h100", server.model_copy(update={"ports": [group, *server.ports[1:]]})
    )
    for planes, lanes in ((2, 1), (4, 2)):
        site = described_site("dgx-h100", 64, 64, **ROCE, planes=planes)
        built_design = built(site, parts_catalog)[0]
        assert counts(built_design)["node_leaf"] == 64 * 16 * lanes
        assert {w.gbps for w in built_design.wires if w.kind == "node_leaf"} == {200 // lanes}
        assert {w.plane for w in built_design.wires} == set(range(planes))
        rails = Counter(zip(built_design.wires[0].a.tolist(), built_design.wires[0].rail.tolist(), strict=True))
        assert set(rails.values()) == {1}
        assert_sound(built_design)


def test_rails_as_fabrics_of_their_own(network):
    fabric_network = network("dgx-h100", 128, 32, rail_planes=True)
    assert counts(fabric_network) == {"leaf": 32, "spine": 16, "node_leaf": 1024, "leaf_spine": 1024}
    rail = {member.id: member.rail for member in fabric_network.members}
    for wires in fabric_network.wires:
        if wires.kind == "leaf_spine":
            assert {(rail[a], rail[b]) for a, b in zip(wires.a.tolist(), wires.b.tolist(), strict=True)} <= {
                (entry, entry) for entry in range(8)
            }
    assert {member.name for member in fabric_network.members} >= {"compute-r1-leaf-01", "compute-r8-spine-02"}
    assert_sound(fabric_network)


def test_subnet_managers_are_on_every_plane(data, parts_catalog):
    from rackwright.model.site import Site

    data["pools"][0].update(count=31)
    data["fabrics"][0].update(planes=2)
    built_design = built(Site.model_validate(data), parts_catalog)[0]
    ufm = [at for at, name in enumerate(built_design.roster.names) if name.startswith("ufm")]
    planes = {wires.plane for wires in built_design.wires if set(wires.a.tolist()) & set(ufm)}
    assert planes == {0, 1}


def test_two_leaves_per_rail_when_a_unit_is_larger_than_a_leaf(network):
    fabric_network = network("dgx-b300", 64, 64, **ROCE)
    per_rail = Counter(member.rail for member in fabric_network.members if member.tier == "leaf")
    assert per_rail == dict.fromkeys(range(8), 2)


def test_a_prime_number_of_uplinks_does_not_ask_for_as_many_spines(network):
    fabric_network = network("dgx-h100", 33 * 2, 33, leaf_down=33, oversubscription=2)
    up = counts(fabric_network)["leaf_spine"] // counts(fabric_network)["leaf"]
    assert up == 18
    assert counts(fabric_network)["spine"] == 6


def test_spine_and_core_of_other_parts(network):
    fabric_network = network("dgx-b300", 288, 72, switch="sn5600", spine_switch="sn6600", transport="roce", tiers=2)
    assert (counts(fabric_network)["leaf"], counts(fabric_network)["spine"]) == (4 * 3 * 8, 32)
    assert {(member.tier, member.part.sku) for member in fabric_network.members} == {
        ("leaf", "sn5600"),
        ("spine", "sn6600"),
    }
    assert_sound(fabric_network)


@pytest.mark.parametrize(
    ("declared", "host", "up"), [({}, 64, 32), ({"leaf_down": 48}, 48, 24), ({"leaf_up": 16}, 32, 16)]
)
def test_leaves_with_breakouts_down_and_whole_ports_up(network, declared, host, up):
    fabric_network = network("dgx-h100", 64, 64, **ROCE, topology="fat-tree", link_gbps=800, tiers=2, **declared)
    most = max(
        Counter(w for wires_ in fabric_network.wires if wires_.kind == "node_leaf" for w in wires_.b.tolist()).values()
    )
    assert most <= host
    assert counts(fabric_network)["leaf_spine"] == up * counts(fabric_network)["leaf"]
    cages = {}
    for wires in fabric_network.wires:
        for end, port, way in ((wires.b, wires.b_port, wires.kind), (wires.a, wires.a_port, wires.kind)):
            for device, index in zip(end.tolist(), port.tolist(), strict=True):
                cage = fabric_network.roster.ports[device].ports[index].cage
                if cage >= 0 and fabric_network.roster.names[device].startswith("compute-leaf"):
                    cages.setdefault((device, cage), set()).add(way)
    assert all(len(ways) == 1 for ways in cages.values())
    assert_sound(fabric_network)


def test_declared_ports_that_no_leaf_has(network):
    with pytest.raises(ProblemsError, match="fewer ports than leaf_down and leaf_up ask for"):
        network("dgx-h100", 32, 32, leaf_down=40, leaf_up=30)
    with pytest.raises(ProblemsError, match="fewer ports than leaf_down and leaf_up ask for"):
        network("dgx-h100", 32, 32, leaf_up=10**9)


def test_one_tier_is_one_switch(network):
    with pytest.raises(ProblemsError, match="one tier is one switch") as raised:
        network("dgx-h100", 9, 9, topology="fat-tree", tiers=1)
    assert "tiers: 2" in raised.value.problems[0].next_step
    fabric_network = network("dgx-h100", 8, 8, topology="fat-tree", tiers=1)
    assert counts(fabric_network) == {"leaf": 1, "node_leaf": 64}
    assert_sound(fabric_network)


def test_slow_hosts_on_lanes_of_fast_ports(described_site, parts_catalog):
    """SN5600: four lanes to a port, each of which also runs 100 Gb/s; uplinks of the management switches as well."""
    site = described_site("dgx-h100", 64, 32)
    fabrics = [
        fabric.model_copy(update={"switch": "sn5600"}) if fabric.role == "inband" else fabric for fabric in site.fabrics
    ]
    built_networks = built(site.model_copy(update={"fabrics": fabrics}), parts_catalog)
    inband = next(fabric for fabric in built_networks if fabric.fabric.role == "inband")
    assert {(w.kind, w.gbps) for w in inband.wires} == {("node_leaf", 100), ("leaf_spine", 800)}
    assert {
        w.gbps for fabric in built_networks if fabric.fabric.role == "bmc" for w in fabric.wires if w.kind == "uplink"
    } == {100}
    assert_sound(inband)
