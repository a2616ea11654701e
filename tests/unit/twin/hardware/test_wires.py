"""What observers of the network see is what the simulated fabric of the twin shows."""

import re

import pytest

from rackwright.twin import faults
from rackwright.twin.hardware import fabric, state, wires
from rackwright.twin.tools import fabric as observed
from rackwright.twin.tools import subnet
from tests.build import site_design

NODES = ["train-001", "train-002", "train-003", "ufm-01", "ufm-02"]
FAULTS = (
    "fabric-cable-missing",
    "fabric-cables-swapped",
    "cable-on-wrong-leaf",
    "leaf-cables-swapped",
    "leaf-cable-missing",
    "link-down",
    "nic-not-bound",
    "rails-swapped",
)


@pytest.fixture(scope="module")
def healthy() -> state.State:
    return state.build(site_design(), NODES)


def simulated(current: state.State) -> set[tuple[str, int, str, int]]:
    ends, node = set(), ""
    for line in fabric.net_file(current, "compute", fabric.FabricPlan.of(site_design())).splitlines():
        if head := re.match(r'(?:Switch|Hca) \d+ "([^"]+)"', line):
            node = head[1]
        elif port := re.match(r'\[(\d+)\] "([^"]+)"\[(\d+)\]', line):
            ends.add((node.replace(":", " "), int(port[1]), port[2].replace(":", " "), int(port[3])))
    return ends


@pytest.mark.parametrize("name", ["", *FAULTS])
def test_the_observed_subnet_is_the_simulated_one(name: str, healthy: state.State) -> None:
    broken = faults.apply_faults(healthy, faults.assign_nodes([name], NODES)) if name else healthy
    links = observed.observe(broken, site_design(), "compute").links
    assert {(link.name, link.port, link.remote_name, link.remote_port) for link in links} == simulated(broken)


def test_a_cable_runs_at_what_its_worst_end_allows(healthy: state.State) -> None:
    def rates(name: str) -> set[int]:
        broken = faults.apply_faults(healthy, faults.assign_nodes([name], NODES))
        return {wires.trained(broken, cable, 400) for cable in broken.cables}

    assert rates("link-slow") == {200, 400}
    assert rates("link-lanes-lost") == {200, 400}
    assert rates("link-one-lane") == {100, 400}
    assert rates("link-down") == {0, 400}


def test_a_slow_cable_is_slow_in_the_simulated_fabric(healthy: state.State) -> None:
    broken = faults.apply_faults(healthy, faults.assign_nodes(["link-slow"], NODES))
    net = fabric.net_file(broken, "compute", fabric.FabricPlan.of(site_design()))
    assert net.count(fabric.RATES[200]) == 2


def test_the_manager_of_the_highest_priority_is_master(healthy: state.State) -> None:
    assert [manager.state for manager in subnet.managers(healthy, site_design(), "compute")] == [3, 2]
    alone = faults.apply_faults(healthy, faults.assign_nodes(["subnet-manager-alone"], NODES))
    assert [manager.state for manager in subnet.managers(alone, site_design(), "compute")] == [3]
    foreign = faults.apply_faults(healthy, faults.assign_nodes(["subnet-manager-foreign"], NODES))
    [master, *_] = subnet.managers(foreign, site_design(), "compute")
    assert master.guid == fabric.switch_guid("compute-leaf-01")


def test_machines_outside_the_twin_run_their_subnet_managers() -> None:
    few = state.build(site_design(), ["train-001", "ufm-01"])
    assert len(subnet.managers(few, site_design(), "compute")) == 2
    names = {link.name for link in subnet.observe(few, site_design(), "ufm-01").subnets["mlx5_0"].links}
    assert "ufm-02 mlx5_0" in names
    assert "train-002 mlx5_0" not in names


def test_every_adapter_has_a_model() -> None:
    assert wires.adapter("ConnectX-7").device == "MT4129"
    assert wires.adapter("Pollara 400").board == ""
