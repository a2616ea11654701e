"""Switch ports are named by LLDP, and by the InfiniBand subnet as `ibnetdiscover` prints it."""

from __future__ import annotations

from rackwright.adopt.neighbours import lldp_neighbours, subnet_neighbours
from rackwright.base import content
from rackwright.model.evidence.fabric import FabricMap
from rackwright.model.evidence.network import Rdma, port_guids
from rackwright.twin import tools
from rackwright.twin.hardware.state import build
from tests.unit.adopt import answers as nodes


def test_every_adapter_of_the_subnet_gets_its_switch_port():
    plan = nodes.sized_design("dgx-h100", 4)
    names = [node.name for node in plan.nodes("accelerator")]
    state = build(plan, names)
    fabric = tools.tool("fabric")
    text = fabric.render(fabric.observe(state, plan, "compute")).decode()
    subnet = content.module("validators", "collectors", "fabric").parse(text)
    assert isinstance(subnet, FabricMap)
    readings = nodes.node_readings(plan, state)
    ports = list(subnet_neighbours(readings, [subnet.links]))
    assert len(ports) == 8 * len(names)
    planned = {(row["a_device"], row["a_port"]): row["b_device"] for row in plan.cables.iter_rows(named=True)}
    planned |= {(row["b_device"], row["b_port"]): row["a_device"] for row in plan.cables.iter_rows(named=True)}
    for port in ports:
        assert planned[port.host, port.port] in port.switch
    assert {port.by for port in ports} == {"ibnetdiscover"}


def test_guids_are_those_of_the_ports():
    plan = nodes.sized_design("dgx-h100", 4)
    state = build(plan, [node.name for node in plan.nodes("accelerator")])
    (reading, *_) = nodes.node_readings(plan, state)
    expected = {nic.name: nic.guid for nic in state.machines[reading.host].nics if nic.infiniband}
    rdma = reading.get(Rdma)
    assert rdma is not None
    assert port_guids(rdma.devices) == expected


def test_ethernet_ports_name_their_switch():
    readings = nodes.node_readings(nodes.sized_design("mi300x-8u", 2))
    ports = list(lldp_neighbours(readings))
    assert {port.host for port in ports} == {"train-001", "train-002"}
    assert {port.by for port in ports} == {"lldp"}
