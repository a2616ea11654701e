"""Faults of network adapters: presence, names, firmware, settings."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults.changes import RAIL, RAIL_NAMES, change_machine, find_port, remove_adapter, set_port
from rackwright.twin.faults.fault import Fault
from rackwright.twin.hardware import pci
from rackwright.twin.hardware.state import TwinMachine


def swap_names(machine: TwinMachine) -> TwinMachine:
    """The kernel enumerated the slots of two neighbouring compute adapters in the opposite order."""
    ports = {nic.name: nic for nic in machine.nics}
    first, second = (find_port(machine, "compute", index) for index in (RAIL - 1, RAIL))
    slots = {first: pci.adapter_address(machine, ports[second]), second: pci.adapter_address(machine, ports[first])}
    nics = (replace(nic, link=replace(nic.link, slot=slots.get(nic.name, ""))) for nic in machine.nics)
    return replace(machine, nics=tuple(nics))


FAULTS = (
    Fault(
        name="gpudirect-retired",
        summary="The retired peer memory module is loaded",
        apply=change_machine(
            lambda machine: replace(machine, rdma=replace(machine.rdma, modules=(*machine.rdma.modules, "nv_peer_mem")))
        ),
        checks={"rdma.gpudirect"},
        names={"nv_peer_mem"},
    ),
    Fault(
        name="nic-board-other",
        summary="One adapter is another board than its peers",
        apply=set_port(board="MT_0000000834"),
        checks={"nic.board"},
        names=RAIL_NAMES,
    ),
    Fault(
        name="nic-firmware-old",
        summary="One adapter has older firmware than its peers",
        apply=set_port(firmware="28.46.4002"),
        checks={"nic.firmware"},
        names=RAIL_NAMES,
    ),
    Fault(
        name="nic-firmware-unsafe",
        summary="One adapter has firmware below the security floor",
        apply=set_port(firmware="28.43.2026"),
        checks={"nic.firmware", "nic.firmware_floor"},
        names=RAIL_NAMES,
    ),
    Fault(
        name="nic-missing",
        summary="An adapter is not on the bus",
        apply=remove_adapter(4),
        checks={"pcie.adapters"},
        names={"{rest[0]} {adapter[0]}"},
    ),
    Fault(
        name="nic-mtu-small",
        summary="A port has half of the MTU",
        apply=set_port(mtu=2048),
        checks={"nic.mtu"},
        names=RAIL_NAMES,
    ),
    Fault(
        name="nic-names-swapped",
        summary="Two adapters of a node have each other's names",
        apply=change_machine(swap_names),
        checks={"nic.names"},
        names=RAIL_NAMES,
    ),
    # It is on the bus, and there is no device.
    Fault(
        name="nic-not-bound",
        summary="The driver of an adapter did not bind",
        apply=set_port(present=False),
        checks={"nic.count"},
        names=RAIL_NAMES,
    ),
    Fault(
        name="nic-wrong-mode",
        summary="An adapter is set to Ethernet in an InfiniBand fabric",
        apply=set_port(link_layer="Ethernet"),
        checks={"nic.mode"},
        names=RAIL_NAMES,
        needs="infiniband",
    ),
)
