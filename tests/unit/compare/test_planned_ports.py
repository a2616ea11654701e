"""Which planned ports count for which checks, and how a port is named."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from rackwright.compare import bus, fabric, network, roce
from rackwright.model.evidence.pci import Pci, PciDevice
from rackwright.model.sku import ServerPort
from tests import build

RAILS = [f"mlx5_{number}" for number in (0, 3, 4, 5, 6, 9, 10, 11)]
STORAGE, INBAND = ["mlx5_1", "mlx5_7"], ["enp41s0f1np1", "enp170s0f1np1"]
PORTS = build.expectation().node.server.ports
LINKS = (
    "rdma_links",
    "roce_links",
    "ethernet_links",
    "slingshot_links",
    "counting_links",
    "bmc_links",
    "nvidia_links",
    "fibre_links",
)
APPLIES = ("carries_rdma", "counts_errors", "carries_roce", "carries_ethernet", "carries_light", "manages_subnets")


def planned(
    name: str = "train-001", *, compute: str = "infiniband", adapter: str = "", role: str = "", cable: str = ""
):
    """A node of the example site; `adapter` replaces those of its rails, `cable` the medium of all its cables."""
    ports = build.expectation(name).node.server.ports
    if adapter:
        ports = [
            port.model_copy(update={"adapter": adapter}) if port.role in ("compute", "storage") else port
            for port in ports
        ]
    place = {"role": role} if role else {}
    expectation = build.expectation(name, server={"ports": ports}, transports={"compute": compute}, place=place)
    wiring = expectation.wiring
    if cable:
        parts = {sku: part.model_copy(update={"medium": cable}) for sku, part in wiring.parts.items()}
        expectation = replace(expectation, wiring=replace(wiring, parts=parts))
    return expectation


@pytest.mark.parametrize(
    ("node", "ports"),
    [
        (planned(), [[*RAILS, *STORAGE], [], INBAND, [], [*RAILS, *STORAGE], ["bmc"], [*RAILS, *STORAGE], 10]),
        (
            planned(compute="roce"),
            [[*RAILS, *STORAGE], RAILS, [*RAILS, *INBAND], [], [*RAILS, *STORAGE], ["bmc"], [*RAILS, *STORAGE], 10],
        ),
        (
            planned(compute="ethernet", adapter="Slingshot 11"),
            [STORAGE, [], [*RAILS, *INBAND], RAILS, RAILS, ["bmc"], [], []],
        ),
        (planned(adapter="BlueField-3"), [[*RAILS, *STORAGE], [], INBAND, [], [*RAILS, *STORAGE], ["bmc"], 10, 10]),
        (planned(adapter="Thor 2"), [[*RAILS, *STORAGE], [], INBAND, [], [], ["bmc"], [], []]),
        (planned(cable="passive copper"), [[*RAILS, *STORAGE], [], INBAND, [], 10, ["bmc"], [*RAILS, *STORAGE], []]),
        (planned("slurm-01"), [[], [], ["ens1f0np0", "ens1f1np1"], [], [], ["bmc"], [], []]),
    ],
)
def test_ports_by_what_they_are_planned_for(node, ports) -> None:
    for name, names in zip(LINKS, ports, strict=True):
        links = [link.port for link in getattr(network, name)(node)]
        assert (len(links) if isinstance(names, int) else links) == names, name


@pytest.mark.parametrize(
    ("node", "applies"),
    [
        (planned(), {"carries_rdma", "counts_errors", "carries_ethernet", "carries_light"}),
        (planned(compute="roce"), {*APPLIES} - {"manages_subnets"}),
        (planned(cable="copper"), {"carries_rdma", "counts_errors", "carries_ethernet"}),
        (planned(compute="roce", role="storage"), set()),
        (planned(role="slurm"), {"carries_ethernet"}),
        (planned(role="ufm"), {"manages_subnets"}),
        (planned("slurm-01"), {"carries_ethernet"}),
        (planned("slurm-01", role="ufm"), set()),
        (planned("slurm-01", role="accelerator"), {"carries_ethernet"}),
        (planned("ufm-01"), {"manages_subnets"}),
    ],
)
def test_nodes_that_a_check_applies_to(node, applies) -> None:
    assert {name for name in APPLIES if getattr(network, name)(node)} == applies


def test_errors_are_counted_on_slingshot_alone_too() -> None:
    node = planned(compute="ethernet", adapter="Slingshot 11")
    alone = replace(node, links=[link for link in node.links if link.fabric != "storage"])
    assert network.counts_errors(alone)
    assert not network.carries_rdma(alone)
    assert not network.counts_errors(replace(alone, node=replace(alone.node, role="storage")))


@pytest.mark.parametrize(
    ("node", "ports"),
    [
        (planned(compute="roce"), RAILS),
        (planned(compute="roce", adapter="BlueField-3"), RAILS),
        (planned(compute="roce", adapter="Thor 2"), []),
        (planned(), []),
    ],
)
def test_ports_with_switches_for_marks(node, ports) -> None:
    assert [link.port for link in roce.links(node)] == ports
    assert roce.carries(node) == bool(ports)
    assert not roce.carries(replace(node, node=replace(node.node, role="slurm")))


@pytest.mark.parametrize(
    ("traffic_class", "code_point", "marked"), [(0, 0, False), (104, 26, False), (105, 26, True), (3, 0, True)]
)
def test_a_traffic_class_is_taken_apart(traffic_class, code_point, marked) -> None:
    assert (roce.code_point(traffic_class), roce.can_be_marked(traffic_class)) == (code_point, marked)


@pytest.mark.parametrize(
    ("description", "name"),
    [
        ("MF0;compute-leaf-01:MQM9790/U1", "compute-leaf-01"),
        ("compute-leaf-01:MQM9790", "compute-leaf-01:MQM9790"),
        ("leaf MF0;1", "leaf MF0;1"),
        ("", ""),
    ],
)
def test_the_name_in_the_description_of_a_switch(description, name) -> None:
    assert fabric.switch_name(description) == name


def test_an_end_of_a_subnet_belongs_to_the_port_it_hangs_on() -> None:
    node = build.expectation()
    assert (
        network.machine_behind(node, build.fabric_link("MF0;compute-leaf-01:MQM9790/U1", 2, name="lost")) == "train-002"
    )
    assert network.machine_behind(node, build.fabric_link("compute-leaf-01", 999, name="lost")) == "lost"
    switch = build.fabric_link("compute-leaf-01", 2, kind="Switch", name="MF0;compute-spine-01:MQM9790/U1")
    assert network.machine_behind(node, switch) == "compute-spine-01"


def test_a_port_is_named_with_the_place_of_its_cable() -> None:
    links = network.ethernet_links(build.expectation())
    values = network.by_place(links, [5, None], lambda port: port + 1)
    assert dict(values) == {
        "enp41s0f1np1 (to inband-leaf-01 port swp1)": 6,
        "enp170s0f1np1 (to inband-leaf-02 port swp1)": None,
    }


def test_nodes_with_equal_cabled_ports_are_cabled_alike() -> None:
    first, second, head = (network.cabling(build.expectation(name)) for name in ("train-001", "train-002", "slurm-01"))
    assert first == second != head
    assert network.cabling(build.expectation(server={"sku": "another"})) != first


def function(address: str, pci_id: str, *, pci_class: str = "0200", path: tuple[str, ...] = ()) -> PciDevice:
    fields = dict.fromkeys(PciDevice.model_fields)
    return PciDevice(
        **(
            fields
            | {"slot": "", "card": "", "address": address, "path": list(path), "pci_class": pci_class, "pci_id": pci_id}
        )
    )


GPU = function("1b", "10de:2330", pci_class="0302", path=("15", "16"))
NIC = function("29", "15b3:1021", path=("15",))
BRIDGES = [function(address, "1000:c030", pci_class="0604") for address in ("15", "16", "17")]
PCI = Pci(devices=[*BRIDGES, GPU, NIC, function("2a", "8086:1533"), function("2b", "10de:22a3", pci_class="0680")])


def test_functions_of_the_bus_that_are_judged() -> None:
    assert bus.functions(build.expectation(), PCI) == [GPU, NIC, *BRIDGES[:2]]
    assert bus.function_name(GPU) == "1b (10de:2330)"
    assert bus.functions(build.expectation(no_limits=True), PCI) is None
    assert bus.functions(planned(adapter="a new one"), PCI) is None


def test_adapters_of_the_server_on_the_bus() -> None:
    assert bus.adapter_ports(build.expectation()) == Counter({"ConnectX-7": 12})
    inside = ServerPort(role="compute", count=8, gbps=400, names=[], adapter="Gaudi 3")
    rows = [build.row(build.limit("pcie.adapter_ids", match={"adapter": "Gaudi 3"}, value=["accelerator"]))]
    node = build.expectation(server={"ports": [inside, *PORTS]})
    node = replace(node, limits=replace(node.limits, rows=(*node.limits.rows, *rows)))
    assert bus.adapter_ports(node) == Counter({"ConnectX-7": 12})
    assert bus.adapters_on_bus(node)
    assert not bus.adapters_on_bus(build.expectation("slurm-01"))
    assert not bus.adapters_on_bus(build.expectation(server={"ports": []}))
    assert bus.accelerators_on_bus(build.expectation())
    assert not bus.accelerators_on_bus(build.expectation(part={"pcie_width": 0}))
    assert not bus.accelerators_on_bus(build.expectation("slurm-01"))


def test_a_cable_of_an_unknown_part_is_no_fibre() -> None:
    node = build.expectation()
    unknown = replace(node, links=[link._replace(sku="") for link in node.links])
    assert network.fibre_links(unknown) == []
    assert not network.carries_light(unknown)
