"""Network ports of NPUs: hccn_tool knows them, and the host has no device for them."""

import json

import pytest

from rackwright.base import content
from rackwright.compare import network
from rackwright.model.evidence.network import Ethernet, Rdma
from rackwright.model.evidence.npu_port import NpuPorts
from rackwright.twin import faults
from rackwright.twin.guest.vendors import hccn_tool
from rackwright.twin.guest.vendors.node import VendorNode
from rackwright.twin.hardware import accelerators
from rackwright.twin.tools import ethernet, hccn, link, rdma
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


def test_mlxlink_reads_nvidia_adapters_and_nobody_asks_it_for_others(stage):
    promise = stage.expected[0]
    assert network.rdma_links(promise)
    assert not network.nvidia_links(promise)
    assert not any(read(promise) for read in (network.has_mlxlink, network.counts_errors, network.carries_light))
    assert link.observe(stage.healthy, stage.design, stage.nodes[0]).ports == {}
    assert not content.module("validators", "collectors", "link").COLLECTOR.owed(promise.node)


@pytest.mark.parametrize(
    ("switch", "port", "words"),
    [
        ("compute-leaf-01.example.org", "swp1s0", "in its planned port"),
        ("compute-leaf-01", "swp1s1", "is on compute-leaf-01 port swp1s1, where"),
        ("", "swp1s0", "no reading of npu0"),
        ("lab-switch", "swp1", "is on lab-switch port swp1, where no cable belongs"),
    ],
)
def test_a_cable_of_an_npu_is_where_its_switch_says(stage, switch, port, words):
    read = hccn.observe(stage.healthy, stage.design, stage.nodes[0])
    moved = read.ports["0"].model_copy(update={"switch": switch, "switch_port": port})
    check = content.module("validators", "checks", "link", "npu_cabling")
    finding = check.judge(stage.expected[0], read.model_copy(update={"ports": {**read.ports, "0": moved}}))
    assert words in finding.observed


def test_a_fault_of_such_a_port_is_played_where_something_reads_it(stage):
    assert "link-dark" in stage.place.faults
    assert (
        stage.place.absent["roce-link-slow"] == "its port is part of an accelerator, and the host reads nothing of it"
    )


def test_the_stand_in_on_a_host_prints_what_the_collector_reads(stage, monkeypatch, capsys):
    """Option by option, as the shell of the collector asks it, of a port that gets no light."""
    broken = faults.load_faults()["link-dark"].apply(stage.healthy, stage.nodes[:1])
    machine = broken.machines[stage.nodes[0]]
    monkeypatch.setattr(
        hccn_tool,
        "read",
        lambda _: VendorNode("", [{"index": 0}], ports=json.loads(accelerators.render(machine))["ports"]),
    )
    for option in ("-link", "-net_health", "-optical", "-stat", "-lldp"):
        monkeypatch.setattr("sys.argv", ["hccn_tool", "-i", "0", option, "-g"])
        assert hccn_tool.main() == 0
    collector = content.module("validators", "collectors", "hccn")
    read = collector.parse(f"== 0\n{capsys.readouterr().out}")
    expected = hccn.observe(broken, stage.design, stage.nodes[0]).ports["0"]
    assert read.ports["0"] == expected
