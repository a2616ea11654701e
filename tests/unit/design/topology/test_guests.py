"""Two fabrics on one set of switches: ports, links and leaves of both."""

from __future__ import annotations

from collections import Counter

import pytest

from rackwright.base.errors import ProblemsError
from rackwright.design.topology import Network
from tests.unit.design.topology.sites import assert_sound, built, counts

LEAF = {"transport": "roce", "switch": "sn5600", "pools": ["train"]}


@pytest.fixture
def pair(described_site, parts_catalog, monkeypatch):
    """The compute, in-band and management networks of DGX H100 nodes with so many east-west links, in-band on the switches of compute."""

    def make(
        nodes: int, adapters: int = 8, gbps: int = 100, unit: int = 0, **fabric
    ) -> tuple[Network, Network, Network]:
        server = parts_catalog.servers["dgx-h100"]
        east_west, *rest = server.ports
        ports = [east_west.model_copy(update={"count": adapters, "names": east_west.names[:adapters]})]
        ports += [group.model_copy(update={"gbps": gbps if group.role == "inband" else group.gbps}) for group in rest]
        monkeypatch.setitem(parts_catalog.servers, "dgx-h100", server.model_copy(update={"ports": ports}))
        site = described_site("dgx-h100", nodes, unit or nodes, **LEAF, **fabric)
        at = next(at for at, declared in enumerate(site.fabrics) if declared.role == "inband")
        shared = {
            "switches_of": "compute",
            "switch": "sn5600",
            "topology": site.fabrics[0].topology,
            "pools": ["train"],
        }
        fabrics = [*site.fabrics]
        fabrics[at] = fabrics[at].model_copy(update=shared | {"oversubscription": 1.0, "survive": None})
        networks = built(site.model_copy(update={"fabrics": fabrics}), parts_catalog)
        for network in networks:
            assert_sound(network)
        return networks[0], networks[at], next(network for network in networks if network.fabric.role == "bmc")

    return make


def ports_in_use(network: Network, switch: int) -> Counter[tuple[int, int]]:
    """Links on the ports of a switch, by the number of its whole port and the rate of the link."""
    in_use: Counter[tuple[int, int]] = Counter()
    for wires in network.wires:
        for device, port in ((wires.a, wires.a_port), (wires.b, wires.b_port)):
            for at in port[device == switch]:
                in_use[network.roster.ports[switch].ports[int(at)].cage, wires.gbps] += 1
    return in_use


# NVIDIA/enterprise-ras at 6c19a59 (2026-04-17), topology files of spectrum-era 2-4-3-200, 2-8-5-200 and 2-8-9-400: on each of two
# SN5600 four north-south links of 200 Gb/s to a port (swp1 on), two east-west links of 400 Gb/s to a port, and as many links to the
# other switch as east-west links: 32 nodes on 8 + 16 + 16 ports, 20 nodes on 5 + 20 + 20, 12 nodes on 3 + 24 + 24.
@pytest.mark.parametrize(
    ("nodes", "adapters", "north_south", "east_west"), [(32, 2, 8, 16), (20, 4, 5, 20), (12, 8, 3, 24)]
)
def test_published_converged_fabrics(pair, nodes, adapters, north_south, east_west):
    compute, inband, _ = pair(nodes, adapters, 200, topology="collapsed-core")
    assert counts(compute) == {"core": 2, "node_leaf": nodes * adapters, "isl": 2 * east_west}
    assert counts(inband)["node_leaf"] == 2 * nodes
    for core in compute.members:
        of_inband = ports_in_use(inband, core.id)
        of_compute = ports_in_use(compute, core.id)
        assert Counter(of_inband.values()) == {4: north_south}
        assert Counter(of_compute.values()) == {2: 2 * east_west}
        assert not {port for port, _ in of_inband} & {port for port, _ in of_compute}


def test_rails_have_room_and_uplinks_for_both(pair):
    """32 hosts of 400 Gb/s a leaf and 8 in-band links of 100 Gb/s, four to a port: 2 ports, and 34 uplinks of 400 Gb/s without blocking."""
    compute, inband, _ = pair(64, unit=32, topology="rail-optimized")
    assert counts(compute)["leaf"] == 16
    leaf = compute.of_tier("leaf")[0]
    assert Counter(ports_in_use(inband, leaf.id).values()) == {4: 2}
    assert counts(compute)["leaf_spine"] / 16 >= 34
    wires = inband.wires[0]
    by_node: dict[int, set[int]] = {}
    for node, switch in zip(wires.a, wires.b, strict=True):
        by_node.setdefault(int(node), set()).add(int(switch))
    assert {len(leaves) for leaves in by_node.values()} == {2}


def test_a_unit_more_moves_no_cable(pair):
    before, after = pair(32, unit=32, topology="rail-optimized")[1], pair(64, unit=32, topology="rail-optimized")[1]

    def ends(network: Network) -> list[tuple[str, int, str, int]]:
        names = network.roster.names
        return [
            (names[a], int(a_port), names[b], int(b_port))
            for wires in network.wires
            for a, a_port, b, b_port in zip(wires.a, wires.a_port, wires.b, wires.b_port, strict=True)
        ]

    assert set(ends(before)) <= set(ends(after))


def test_switches_without_room_for_both_are_refused(pair):
    """16 nodes fill both switches: 64 east-west links on 32 ports, as many ports to the other switch, and none for in-band."""
    with pytest.raises(ProblemsError) as raised:
        pair(16, 8, 200, topology="collapsed-core")
    (problem,) = raised.value.problems
    assert (problem.path, problem.code) == ("fabrics[0]", "design.port_budget")


def test_management_switches_lead_to_the_shared_ones(pair):
    """Twelve nodes leave no in-band port of three for four links each: other host ports take the two uplinks."""
    compute, inband, management = pair(12, 8, 200, topology="collapsed-core")
    ends = [(int(w.b[0]), int(w.b_port[0])) for w in management.wires if w.kind == "uplink"]
    assert {core for core, _ in ends} == {core.id for core in compute.members}
    for core, port in ends:
        assert compute.roster.ports[core].ports[port].cage not in {cage for cage, _ in ports_in_use(inband, core)}
