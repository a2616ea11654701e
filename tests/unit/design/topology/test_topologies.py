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
    found = Counter()
    for wires in network.wires:
        if wires.kind == kind:
            found.update(zip(wires.a.tolist(), wires.b.tolist(), strict=True))
    return found


@pytest.mark.parametrize(("over", "links"), [(1, 64), (2, 32), (4 / 3, 48)])
def test_links_of_a_collapsed_core(network, over, links):
    made = network("dgx-h100", 16, 16, topology="collapsed-core", **ROCE, oversubscription=over)
    assert counts(made) == {"core": 2, "node_leaf": 128, "isl": links}
    hosts = Counter(made.wires[0].b.tolist())
    assert set(hosts.values()) == {64}
    assert_sound(made)


def test_every_node_is_on_both_switches_of_a_collapsed_core(network):
    made = network("dgx-h100", 16, 16, topology="collapsed-core", **ROCE)
    on = Counter(zip(made.wires[0].a.tolist(), made.wires[0].b.tolist(), strict=True))
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
    made = network("dgx-h100", nodes, 32, topology="full-mesh", **ROCE)
    found = counts(made)
    assert (found["leaf"], found["isl"]) == (leaves, leaves * (leaves - 1) // 2 * links)
    joined = pairs(made, "isl")
    assert len(joined) == leaves * (leaves - 1) // 2
    assert set(joined.values()) == {links}
    assert_sound(made)


def test_full_mesh_as_declared(network):
    # opencomputeproject/OCP-OCDAI-training-fabric, opg-64 mesh-conv: two leaves, two links of 800 Gb/s between them.
    made = network("dgx-h100", 8, 8, topology="full-mesh", **ROCE, leaf_down=32, leaf_up=2, link_gbps=800)
    assert counts(made) == {"leaf": 2, "node_leaf": 64, "isl": 2}


def test_a_mesh_has_an_end(network):
    with pytest.raises(ProblemsError, match="a full mesh of qm9700 cannot take all hosts"):
        network("dgx-h100", 2048, 32, topology="full-mesh")


@pytest.mark.parametrize(
    ("nodes", "leaves", "elements", "cores"), [(16, 8, 2, 0), (64, 29, 5, 0), (2048, 928, 290, 145)]
)
def test_scheduled(network, nodes, leaves, elements, cores):
    fabric = {"transport": "roce", "switch": "drivenets-ncp5300r", "spine_switch": "drivenets-ncf9300f"}
    made = network("dgx-b300", nodes, min(nodes, 64), topology="scheduled", **fabric)
    found = counts(made)
    assert (found["leaf"], found["spine"], found.get("core", 0)) == (leaves, elements, cores)
    assert found["leaf_spine"] == 20 * leaves
    assert (
        len(
            set(Counter(one for wires in made.wires if wires.kind == "leaf_spine" for one in wires.a.tolist()).values())
        )
        == 1
    )
    assert_sound(made)


# a = 2p = 2h, radix 4h - 1, at most 2h^2 + 1 groups, 4h^4 + 2h^2 hosts.
@pytest.mark.parametrize("half", [1, 2, 3])
def test_balanced_dragonfly(described_site, known, monkeypatch, half):
    radix, hosts = 4 * half - 1, 4 * half**4 + 2 * half**2
    part, server = known.switches["qm9700"], known.servers["dgx-h100"]
    ports = part.ports.model_copy(update={"count": radix, "per_cage": 1, "breakouts": [1]})
    one = [server.ports[0].model_copy(update={"count": 1, "names": ["mlx5_0"]}), *server.ports[1:]]
    monkeypatch.setitem(known.switches, "k", part.model_copy(update={"sku": "k", "ports": ports}))
    monkeypatch.setitem(known.servers, "dgx-h100", server.model_copy(update={"ports": one}))
    made = built(described_site("dgx-h100", hosts, hosts, topology="dragonfly", switch="k"), known)[0]
    groups, routers = 2 * half**2 + 1, 2 * half
    found = counts(made)
    assert (found["node_leaf"], found["leaf"]) == (hosts, groups * routers)
    assert found["isl"] == groups * routers * (routers - 1) // 2
    assert found["global"] == groups * (groups - 1) // 2
    assert_sound(made)
    with pytest.raises(ProblemsError, match="Dragonfly"):
        built(described_site("dgx-h100", hosts + 1, hosts + 1, topology="dragonfly", switch="k"), known)


def group_of(network, size):
    ids = [member.id for member in network.members if member.tier == "leaf"]
    return {one: at // size for at, one in enumerate(ids)}


def test_global_links_are_even_over_pairs_of_groups(network):
    shape = {"switches_per_group": 8, "hosts_per_switch": 32, "global_links": 4}
    made = network("dgx-h100", 256, 32, topology="dragonfly", dragonfly=shape)
    found = counts(made)
    assert (found["leaf"], found["isl"], found["global"]) == (64, 8 * 28, 28 * 4)
    group = group_of(made, 8)
    joined = Counter()
    for (a, b), links in pairs(made, "global").items():
        joined[group[a], group[b]] += links
    assert len(joined) == 28
    assert set(joined.values()) == {4}
    per_router = Counter(np.concatenate([end for w in made.wires if w.kind == "global" for end in (w.a, w.b)]).tolist())
    assert max(per_router.values()) - min(per_router.values()) <= 1
    assert_sound(made)


def test_dragonfly_plus_groups_are_leaf_spine(network):
    made = network("dgx-h100", 256, 32, topology="dragonfly-plus", dragonfly={"switches_per_group": 8})
    found = counts(made)
    groups = 8
    assert (found["leaf"], found["spine"]) == (64, 64)
    assert found["leaf_spine"] == 64 * 32
    assert set(pairs(made, "leaf_spine").values()) == {4}
    assert found["global"] == groups * (groups - 1) // 2 * (8 * 32 // (groups - 1))
    assert_sound(made)


def test_too_many_groups_for_the_declared_links(network):
    shape = {"switches_per_group": 2, "hosts_per_switch": 16, "global_links": 20}
    with pytest.raises(ProblemsError, match="Dragonfly"):
        network("dgx-h100", 256, 32, topology="dragonfly", dragonfly=shape)


NVLINK = {"role": "nvlink", "transport": "nvlink", "topology": "nvlink", "switch": "nvlink5-switch-tray"}


def test_nvl72(network):
    """72 accelerators x 18 links = 9 trays x 144 ports; one link to every one of the 18 chips."""
    made = network("gb200-nvl72", 34, 36, 18, **NVLINK)
    assert counts(made) == {"nvswitch": 18, "nvlink": 2 * 1296}
    (wires,) = made.wires
    accelerator = wires.a * 4 + (wires.a_port - wires.a_port.min()) // 18
    chip = wires.b * 2 + wires.b_port // 72
    assert set(Counter(zip(accelerator.tolist(), chip.tolist(), strict=True)).values()) == {1}
    assert set(Counter(accelerator.tolist()).values()) == {18}
    assert int(wires.there.sum()) == 34 * 4 * 18
    assert {member.rack for member in made.members} == {0, 1}
    assert_sound(made)


def test_trays_of_a_rack_that_is_not_there_yet(network):
    """Their numbers are kept, so that the rack that comes renames nothing."""
    made = network("gb200-nvl72", 40, 36, 18, **NVLINK)
    assert [member.present for member in made.members] == [True] * 27 + [False] * 9
    whole = network("gb200-nvl72", 72, 36, 18, **NVLINK)
    assert [member.name for member in whole.members] == [member.name for member in made.members]


def test_half_a_rack_still_reaches_every_chip(network):
    made = network("gb200-nvl72", 9, 9, 9, **NVLINK)
    assert counts(made) == {"nvswitch": 9, "nvlink": 648}
    assert_sound(made)


def test_more_accelerators_than_a_domain_joins(network):
    with pytest.raises(ProblemsError) as raised:
        network("gb200-nvl72", 20, 20, 20, **NVLINK)
    (problem,) = raised.value.problems
    assert (problem.path, problem.found) == ("pools[0].servers_per_rack", "80 accelerators: 20 nodes of 4")


@pytest.mark.parametrize("planes", [2, 4])
def test_every_plane_is_complete(network, planes):
    made = network("dgx-b300", 128, 64, **ROCE, planes=planes)
    kinds = Counter()
    for wires in made.wires:
        kinds[wires.kind, wires.plane] += len(wires)
    assert {plane for _, plane in kinds} == set(range(planes))
    for kind in ("node_leaf", "leaf_spine"):
        assert len({kinds[kind, plane] for plane in range(planes)}) == 1
    ends = {member.id: member.plane for member in made.members}
    for wires in made.wires:
        far = {ends[one] for one in wires.b.tolist()} | {ends[one] for one in wires.a.tolist() if one in ends}
        assert far == {wires.plane}
    per_node = Counter(zip(made.wires[0].a.tolist(), made.wires[0].a_port.tolist(), strict=True))
    assert set(per_node.values()) == {1}
    assert_sound(made)


def test_two_ports_of_an_adapter_are_dealt_over_planes(described_site, known, monkeypatch):
    server = known.servers["dgx-h100"]
    group = server.ports[0].model_copy(
        update={"count": 16, "per_rail": 2, "gbps": 200, "names": [f"rdma{at}" for at in range(16)]}
    )
    monkeypatch.setitem(known.servers, "dgx-h100", server.model_copy(update={"ports": [group, *server.ports[1:]]}))
    for planes, lanes in ((2, 1), (4, 2)):
        site = described_site("dgx-h100", 64, 64, **ROCE, planes=planes)
        made = built(site, known)[0]
        assert counts(made)["node_leaf"] == 64 * 16 * lanes
        assert {w.gbps for w in made.wires if w.kind == "node_leaf"} == {200 // lanes}
        assert {w.plane for w in made.wires} == set(range(planes))
        rails = Counter(zip(made.wires[0].a.tolist(), made.wires[0].rail.tolist(), strict=True))
        assert set(rails.values()) == {1}
        assert_sound(made)


def test_rails_as_fabrics_of_their_own(network):
    made = network("dgx-h100", 128, 32, rail_planes=True)
    assert counts(made) == {"leaf": 32, "spine": 16, "node_leaf": 1024, "leaf_spine": 1024}
    rail = {member.id: member.rail for member in made.members}
    for wires in made.wires:
        if wires.kind == "leaf_spine":
            assert {(rail[a], rail[b]) for a, b in zip(wires.a.tolist(), wires.b.tolist(), strict=True)} <= {
                (one, one) for one in range(8)
            }
    assert {member.name for member in made.members} >= {"compute-r1-leaf-01", "compute-r8-spine-02"}
    assert_sound(made)


def test_subnet_managers_are_on_every_plane(data, known):
    from rackwright.model.site import Site

    data["pools"][0].update(count=31)
    data["fabrics"][0].update(planes=2)
    made = built(Site.model_validate(data), known)[0]
    ufm = [at for at, name in enumerate(made.roster.names) if name.startswith("ufm")]
    planes = {wires.plane for wires in made.wires if set(wires.a.tolist()) & set(ufm)}
    assert planes == {0, 1}


def test_two_leaves_per_rail_when_a_unit_is_larger_than_a_leaf(network):
    made = network("dgx-b300", 64, 64, **ROCE)
    per_rail = Counter(member.rail for member in made.members if member.tier == "leaf")
    assert per_rail == dict.fromkeys(range(8), 2)


def test_a_prime_number_of_uplinks_does_not_ask_for_as_many_spines(network):
    made = network("dgx-h100", 33 * 2, 33, leaf_down=33, oversubscription=2)
    up = counts(made)["leaf_spine"] // counts(made)["leaf"]
    assert up == 18
    assert counts(made)["spine"] == 6


def test_spine_and_core_of_other_parts(network):
    made = network("dgx-b300", 288, 72, switch="sn5600", spine_switch="sn6600", transport="roce", tiers=2)
    assert (counts(made)["leaf"], counts(made)["spine"]) == (4 * 3 * 8, 32)
    assert {(member.tier, member.part.sku) for member in made.members} == {("leaf", "sn5600"), ("spine", "sn6600")}
    assert_sound(made)


@pytest.mark.parametrize(
    ("declared", "host", "up"), [({}, 64, 32), ({"leaf_down": 48}, 48, 24), ({"leaf_up": 16}, 32, 16)]
)
def test_leaves_with_breakouts_down_and_whole_ports_up(network, declared, host, up):
    made = network("dgx-h100", 64, 64, **ROCE, topology="fat-tree", link_gbps=800, tiers=2, **declared)
    most = max(Counter(w for one in made.wires if one.kind == "node_leaf" for w in one.b.tolist()).values())
    assert most <= host
    assert counts(made)["leaf_spine"] == up * counts(made)["leaf"]
    cages = {}
    for wires in made.wires:
        for end, port, way in ((wires.b, wires.b_port, wires.kind), (wires.a, wires.a_port, wires.kind)):
            for device, index in zip(end.tolist(), port.tolist(), strict=True):
                cage = made.roster.ports[device].ports[index].cage
                if cage >= 0 and made.roster.names[device].startswith("compute-leaf"):
                    cages.setdefault((device, cage), set()).add(way)
    assert all(len(ways) == 1 for ways in cages.values())
    assert_sound(made)


def test_declared_ports_that_no_leaf_has(network):
    with pytest.raises(ProblemsError, match="fewer ports than leaf_down and leaf_up ask for"):
        network("dgx-h100", 32, 32, leaf_down=40, leaf_up=30)
    with pytest.raises(ProblemsError, match="fewer ports than leaf_down and leaf_up ask for"):
        network("dgx-h100", 32, 32, leaf_up=10**9)


def test_one_tier_is_one_switch(network):
    with pytest.raises(ProblemsError, match="one tier is one switch") as raised:
        network("dgx-h100", 9, 9, topology="fat-tree", tiers=1)
    assert "tiers: 2" in raised.value.problems[0].next_step
    made = network("dgx-h100", 8, 8, topology="fat-tree", tiers=1)
    assert counts(made) == {"leaf": 1, "node_leaf": 64}
    assert_sound(made)


def test_slow_hosts_on_lanes_of_fast_ports(described_site, known):
    """SN5600: four lanes to a port, each of which also runs 100 Gb/s; uplinks of the management switches as well."""
    site = described_site("dgx-h100", 64, 32)
    fabrics = [one.model_copy(update={"switch": "sn5600"}) if one.role == "inband" else one for one in site.fabrics]
    made = built(site.model_copy(update={"fabrics": fabrics}), known)
    inband = next(one for one in made if one.fabric.role == "inband")
    assert {(w.kind, w.gbps) for w in inband.wires} == {("node_leaf", 100), ("leaf_spine", 800)}
    assert {w.gbps for one in made if one.fabric.role == "bmc" for w in one.wires if w.kind == "uplink"} == {100}
    assert_sound(inband)
