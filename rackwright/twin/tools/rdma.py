"""What the kernel of a node prints of its RDMA devices."""

from __future__ import annotations

from ipaddress import ip_address

import polars as pl

from rackwright.model.design import Design, Link
from rackwright.model.evidence.network import Gid, Rdma, RdmaDevice
from rackwright.twin.hardware import pci, wires
from rackwright.twin.hardware.parts import kernel
from rackwright.twin.hardware.state import MachinePort, State

ANSWERED = True
FULL = 0x8000
"""The bit of a P_Key that says full membership."""
DEFAULT_KEY = 0xFFFF
IPV4 = 4
MAPPED = "0000:0000:0000:0000:0000:ffff"
"""Prefix of an IPv4 address as a GID (RFC 4291, 2.5.5.2)."""
COUNTERS = (
    "symbol_error",
    "link_error_recovery",
    "link_downed",
    "port_rcv_errors",
    "port_rcv_remote_physical_errors",
    "port_rcv_switch_relay_errors",
    "port_xmit_discards",
    "port_xmit_constraint_errors",
    "port_rcv_constraint_errors",
    "local_link_integrity_errors",
    "excessive_buffer_overrun_errors",
    "VL15_dropped",
    "port_xmit_wait",
)
DEVICES = "/sys/class/infiniband"
STATES = {"NOP": 0, "DOWN": 1, "INIT": 2, "ARMED": 3, "ACTIVE": 4, "ACTIVE_DEFER": 5}
PHYSICAL = {
    "Sleep": 1,
    "Polling": 2,
    "Disabled": 3,
    "PortConfigurationTraining": 4,
    "LinkUp": 5,
    "LinkErrorRecovery": 6,
}
MTUS = {256: 1, 512: 2, 1024: 3, 2048: 4, 4096: 5}
FLAVOUR = {
    True: "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.173.02  Release Build",
    False: "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.173.02  Wed Jul 15 12:11:05 UTC 2026",
}


def observe(state: State, design: Design, node: str) -> Rdma:
    """Every device on the bus; slots follow the order of the ports."""
    machine = state.machines[node]
    sockets = max(machine.cpu_count, 1)
    adapters = sum(nic.function == 0 for nic in machine.nics)
    devices = {}
    for nic, link in wires.rdma_ports(state, design, node):
        slot = nic.link.slot or pci.adapter_address(machine, nic)
        numa = machine.slot(nic)[0] * sockets // adapters
        devices[nic.name] = _device(state, design, node, nic, link, slot, numa)
    nvidia = bool(machine.gpus) and machine.gpus[0].vendor == "nvidia"
    return Rdma(
        kernel=kernel.running(machine, design.site.software.bill(design.node(node).pool)),
        modules=list(machine.rdma.modules),
        open_driver=machine.rdma.open_driver if nvidia else None,
        devices=devices,
    )


def _device(state: State, design: Design, node: str, nic: MachinePort, link: Link, slot: str, numa: int) -> RdmaDevice:
    link_state, model = nic.link, wires.adapter(nic.adapter)
    gbps = wires.rate(state, design, node, nic, link)
    infiniband = wires.plan(design).wiring.transports[link.fabric] == "infiniband"
    layer = link_state.link_layer or ("InfiniBand" if infiniband else "Ethernet")
    up = gbps > 0 and layer == ("InfiniBand" if infiniband else "Ethernet")
    name = wires.speed(gbps, link_state.lanes)
    digits = nic.guid.removeprefix("0x")
    guid = ":".join(digits[at : at + 4] for at in range(0, len(digits), 4))
    return RdmaDevice(
        pci_address=slot,
        model=model.device,
        firmware=link_state.firmware or model.firmware,
        board=link_state.board or model.board,
        node_guid=guid,
        numa_node=numa,
        link_layer=layer,
        state="ACTIVE" if up else "DOWN",
        physical_state="LinkUp" if up else "Polling",
        rate=f"{gbps} Gb/sec ({link_state.lanes}X {name})" if up else "10 Gb/sec (4X SDR)",
        active_mtu=link_state.mtu,
        partition_keys=_keys(design, node, nic, link) if infiniband else [DEFAULT_KEY],
        gids=_gids(design, node, nic, guid, routed=not infiniband and link_state.gid),
        counters={counter: link_state.counters.get(counter, 0) for counter in COUNTERS}
        | {"link_downed": link_state.counters.get("link_downed", link_state.downs)},
    )


def _gids(design: Design, node: str, nic: MachinePort, guid: str, *, routed: bool) -> list[Gid]:
    """The link-local GID, and on RoCE that of the interface's IPv4 address where the site gives it one."""
    gids = [Gid(index=0, address=f"fe80:0000:0000:0000:{guid}", kind="IB/RoCE v1")]
    on_port = (pl.col("device") == node) & (pl.col("interface") == nic.name) & (pl.col("family") == IPV4)
    for address in design.addresses.filter(on_port)["address"] if routed else ():
        digits = ip_address(address).packed.hex()
        gids.append(Gid(index=3, address=f"{MAPPED}:{digits[:4]}:{digits[4:]}", kind="RoCE v2"))
    return gids


def _keys(design: Design, node: str, nic: MachinePort, link: Link) -> list[int]:
    """The table as the site's partitions make it, or as a fault left it."""
    if nic.link.keys is not None:
        return list(nic.link.keys)
    pool, declared = design.node(node).pool, wires.plan(design).wiring.partitions
    partitions = [declared[link.fabric, group] for group in (pool, "") if (link.fabric, group) in declared]
    return [DEFAULT_KEY, *(key | FULL for key in partitions)]


def render(record: Rdma) -> bytes:
    """The sections that the collector parses to `record`."""
    sections = {
        "kernel": [record.kernel],
        "modules": record.modules,
        "driver": [] if record.open_driver is None else [FLAVOUR[record.open_driver]],
        "slots": [
            f"{name} /sys/devices/pci0000:15/0000:15:01.0/{device.pci_address}"
            for name, device in record.devices.items()
        ],
        "attributes": [
            f"{DEVICES}/{name}/{path}:{value}"
            for name, device in record.devices.items()
            for path, value in _attributes(device).items()
            if value
        ],
        "verbs": [
            line for name, device in record.devices.items() if device.active_mtu for line in _verbs(name, device)
        ],
    }
    return "".join(f"== {name}\n" + "".join(f"{line}\n" for line in lines) for name, lines in sections.items()).encode()


def _attributes(device: RdmaDevice) -> dict[str, str]:
    return {
        "fw_ver": device.firmware,
        "board_id": device.board,
        "hca_type": device.model,
        "node_guid": device.node_guid,
        "device/numa_node": "-1" if device.numa_node is None else str(device.numa_node),
        "ports/1/link_layer": device.link_layer,
        "ports/1/state": f"{STATES.get(device.state, 0)}: {device.state}",
        "ports/1/phys_state": f"{PHYSICAL.get(device.physical_state, 0)}: {device.physical_state}",
        "ports/1/rate": device.rate,
        **{f"ports/1/pkeys/{row}": f"{key:#06x}" for row, key in enumerate(device.partition_keys)},
        **{f"ports/1/gids/{gid.index}": gid.address for gid in device.gids},
        **{f"ports/1/gid_attrs/types/{gid.index}": gid.kind for gid in device.gids},
        **{f"ports/1/counters/{name}": str(value) for name, value in device.counters.items()},
    }


def _verbs(name: str, device: RdmaDevice) -> list[str]:
    return [
        f"hca_id:\t{name}",
        "\ttransport:\t\t\tInfiniBand (0)",
        f"\tfw_ver:\t\t\t\t{device.firmware}",
        "\t\tport:\t1",
        "\t\t\tmax_mtu:\t\t4096 (5)",
        f"\t\t\tactive_mtu:\t\t{device.active_mtu} ({MTUS.get(device.active_mtu or 0, 0)})",
    ]
