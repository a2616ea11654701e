"""What the kernel of a node and its LLDP daemon say of its Ethernet ports."""

from __future__ import annotations

import json
from typing import Any

from rackwright.model.design import Design
from rackwright.model.evidence.network import Ethernet, EthernetPort, Neighbour
from rackwright.twin.hardware import wires
from rackwright.twin.hardware.state import MachinePort, State

ANSWERED = True
UPTIME_SECONDS = 86400.0
MTU = 1500
PACKETS = 48_211_337
"""Received in a day on an in-band port that carries management and time alone."""
DEVICES = "/sys/class/net"
PRIORITIES = 8


def observe(state: State, design: Design, node: str) -> Ethernet:
    """Every port that is cabled into an Ethernet fabric."""
    ports = wires.ethernet_ports(state, design, node)
    transports = wires.plan(design).wiring.transports
    readings = {
        interface_name(nic.name): _port(
            nic, wires.rate(state, design, node, nic, link), lossless=transports[link.fabric] == "roce"
        )
        for nic, link in ports
    }
    return Ethernet(
        uptime_seconds=UPTIME_SECONDS,
        heard=True,
        interfaces={nic.name: interface_name(nic.name) for nic, _ in ports if interface_name(nic.name) != nic.name},
        ports=readings,
    )


def _port(nic: MachinePort, gbps: int, *, lossless: bool) -> EthernetPort:
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


def render(record: Ethernet) -> bytes:
    """The sections that the collector parses to `record`."""
    sections = {
        "uptime": [str(record.uptime_seconds)],
        "attributes": [
            f"{DEVICES}/{name}/{path}:{value}"
            for name, port in record.ports.items()
            for path, value in _attributes(port).items()
            if value
        ],
        "devices": [f"{device} {interface}" for device, interface in record.interfaces.items()],
        "flow": [f"{name} {_flow(port.lossless)}" for name, port in record.ports.items() if port.lossless is not None],
        "neighbours": [json.dumps({"lldp": [_interfaces(record.ports)]})] if record.heard else [],
    }
    return "".join(f"== {name}\n" + "".join(f"{line}\n" for line in lines) for name, lines in sections.items()).encode()


def _attributes(port: EthernetPort) -> dict[str, str]:
    return {
        "address": port.mac,
        "operstate": port.operational,
        "speed": "-1" if port.mbps is None else str(port.mbps),
        "mtu": str(port.mtu),
        "carrier_down_count": "" if port.carrier_downs is None else str(port.carrier_downs),
        **{f"statistics/{name}": str(value) for name, value in port.counters.items()},
    }


def _flow(lossless: list[int]) -> str:
    switches = [priority in lossless for priority in range(PRIORITIES)]
    return json.dumps({"pfc_cap": PRIORITIES, "macsec_bypass": False, "delay": 0, "prio_pfc": switches})


def _interfaces(ports: dict[str, EthernetPort]) -> dict[str, Any]:
    interfaces = [_interface(name, neighbour) for name, port in ports.items() for neighbour in port.neighbours]
    return {"interface": interfaces} if interfaces else {}


def _interface(name: str, far: Neighbour) -> dict[str, Any]:
    chassis = {"id": [{"type": "mac", "value": "1c:34:da:00:11:22"}], "name": [{"value": far.system}]}
    port = {"id": [{"type": "ifname", "value": far.port}], "ttl": [{"value": "120"}]}
    return {"name": name, "via": "LLDP", "rid": "1", "age": "0 day, 04:11:51", "chassis": [chassis], "port": [port]}
