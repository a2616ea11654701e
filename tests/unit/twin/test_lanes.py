"""Split ports on the twin: every lane is a PCI function with a device, counters and a neighbour of its own."""

from __future__ import annotations

import pytest

from rackwright import catalog
from rackwright.design import sizing
from rackwright.model.design import Design
from rackwright.twin.bmc import documents
from rackwright.twin.hardware import pci, state
from rackwright.twin.tools import ethernet, link, lspci, rdma

NODE = "train-001"


@pytest.fixture(scope="module")
def split() -> Design:
    return sizing.size_site(sizing.SizeRequest(16, "dgx-b300", "roce-dual-plane"), catalog.load()).design


@pytest.fixture(scope="module")
def built(split: Design) -> state.State:
    return state.build(split, [NODE])


def test_lanes_of_a_port_are_functions_of_one_adapter(split: Design, built: state.State) -> None:
    devices = rdma.observe(built, split, NODE).devices
    slots = [device.pci_address for name, device in devices.items() if name in ("mlx5_0", "mlx5_1", "mlx5_2", "mlx5_8")]
    assert [slot[-1] for slot in slots] == ["0", "1", "0", "0"]
    assert slots[0][:-1] == slots[1][:-1] != slots[2][:-1]
    assert len({device.node_guid for device in devices.values()}) == len(devices) == 18


def test_lanes_hang_below_the_switch_of_their_accelerator(split: Design, built: state.State) -> None:
    machine = built.machines[NODE]
    bus = {device.address: device for device in lspci.observe(built, split, NODE).devices}
    first, second, third = (pci.adapter_address(machine, nic) for nic in machine.nics[:3])
    assert bus[first].path[:2] == bus[second].path[:2] != bus[third].path[:2]
    assert {first, second, third} <= {str(function["address"]) for function in pci.bus(machine)}


def test_each_lane_runs_at_its_own_rate_to_its_own_plane(split: Design, built: state.State) -> None:
    record = ethernet.observe(built, split, NODE)
    ports = {name: record.ports[record.interfaces[name]] for name in ("mlx5_0", "mlx5_1")}
    assert [port.mbps for port in ports.values()] == [400_000, 400_000]
    far = [port.neighbours[0] for port in ports.values()]
    assert [heard.system.split("-leaf")[0] for heard in far] == ["compute-p1", "compute-p2"]
    assert link.observe(built, split, NODE).ports["mlx5_1"].speed == "400G"


def test_the_bmc_lists_an_adapter_with_a_port_for_every_lane(built: state.State) -> None:
    listed = documents.build_documents(built.machines[NODE])
    adapters = listed["/redfish/v1/Chassis/Chassis/NetworkAdapters"]["Members"]
    assert [member["@odata.id"].rpartition("/")[2] for member in adapters][:3] == ["mlx5_0", "mlx5_2", "mlx5_4"]
    ports = listed["/redfish/v1/Chassis/Chassis/NetworkAdapters/mlx5_0/Ports"]["Members"]
    macs = [listed[port["@odata.id"]]["Ethernet"]["AssociatedMACAddresses"] for port in ports]
    assert macs == [[nic.mac] for nic in built.machines[NODE].nics[:2]]
