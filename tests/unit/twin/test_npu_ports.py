"""Network ports of NPUs: hccn_tool knows them, and the host has no device for them."""

import pytest

from rackwright.compare import network
from rackwright.model.evidence.network import Ethernet, Rdma
from rackwright.model.evidence.npu_port import NpuPorts
from rackwright.twin.tools import ethernet, hccn, rdma
from tests.matrix.walk import sized_stage


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    return sized_stage("atlas-900-a2", "slurm", tmp_path_factory.mktemp("site"))[1]


def test_checks_of_host_ports_leave_out_those_of_npus(stage):
    promise = stage.expected[0]
    assert promise.node.accelerator_ports == {f"npu{number}" for number in range(8)}
    storage = {"enp189s0f0", "enp189s0f1"}
    assert {link.port for link in network.rdma_links(promise)} == storage
    assert {link.port for link in network.ethernet_links(promise)} > storage
    assert not {link.port for link in network.ethernet_links(promise)} & promise.node.accelerator_ports


def test_the_twin_shows_them_by_hccn_tool_alone(stage):
    node = stage.nodes[0]
    devices, ports, npus = (tool.observe(stage.healthy, stage.design, node) for tool in (rdma, ethernet, hccn))
    assert isinstance(devices, Rdma)
    assert isinstance(ports, Ethernet)
    assert isinstance(npus, NpuPorts)
    assert set(devices.devices) == {"enp189s0f0", "enp189s0f1"}
    assert not [name for name in ports.ports if name.startswith("npu")]
    assert set(npus.ports) == {str(number) for number in range(8)}


def test_a_fault_of_such_a_port_is_played_where_something_reads_it(stage):
    assert "link-dark" in stage.place.faults
    assert (
        stage.place.absent["link-bit-errors"] == "its port is part of an accelerator, and the host reads nothing of it"
    )
