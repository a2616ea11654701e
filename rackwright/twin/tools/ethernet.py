"""What the kernel of a node and its LLDP daemon say of its Ethernet ports."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.network import Ethernet, EthernetPort, Neighbour
from rackwright.twin.hardware import wires
from rackwright.twin.hardware.state import NicPort, State

ANSWERED = True
UPTIME_SECONDS = 86400.0
MTU = 1500
PACKETS = 48_211_337
"""Received in a day on an in-band port that carries management and time alone."""


def observe(state: State, design: Design, node: str) -> Ethernet:
    """Every port that is cabled into an Ethernet fabric."""
    ports = wires.ethernet_ports(state, design, node)
    transports = wires.plan(design).wiring.transports
    seen = {
        interface_name(nic.name): _port(
            nic, wires.rate(state, design, node, nic, link), lossless=transports[link.fabric] == "roce"
        )
        for nic, link in ports
    }
    return Ethernet(
        uptime_seconds=UPTIME_SECONDS,
        heard=True,
        interfaces={nic.name: interface_name(nic.name) for nic, _ in ports if interface_name(nic.name) != nic.name},
        ports=seen,
    )


def _port(nic: NicPort, gbps: int, *, lossless: bool) -> EthernetPort:
    far = wires.neighbour(nic)
    return EthernetPort(
        mac=nic.mac,
        operational="up" if gbps else "down",
        mbps=gbps * 1000 or None,
        mtu=MTU,
        carrier_downs=nic.link.carrier_downs,
        counters={"rx_packets": PACKETS, "rx_errors": nic.link.crc_errors, "rx_crc_errors": nic.link.crc_errors},
        neighbours=[Neighbour(system=far[0], port=far[1])] if far else [],
        lossless=list(nic.link.lossless) if lossless else [],
    )


def interface_name(name: str) -> str:
    """The interface of a port; those that the design calls by their RDMA device get a name of the kernel."""
    device, _, number = name.partition("_")
    return f"eth{number}" if device == "mlx5" else name
