"""How a node of the twin marks and treats its RoCE traffic."""

from __future__ import annotations

import json

from rackwright.model.design import Design
from rackwright.model.evidence.roce import Roce, RocePort
from rackwright.twin.hardware import wires
from rackwright.twin.hardware.state import State
from rackwright.twin.tools.ethernet import interface_name

ANSWERED = True
LOSSLESS, DSCP, TRAFFIC_CLASS = 3, 26, 106
"""NVIDIA's RoCE configuration for fabrics without loss: DSCP 26 with the bit of ECN, on priority 3."""
PRIORITIES = range(8)
"""Congestion notification is on at each of them, as a node with MLNX_OFED shows (spidernet-io/spiderpool: tests/cases/collectors/roce/lossless_on_five.yaml)."""


def observe(state: State, design: Design, node: str) -> Roce:
    """The ports that are cabled into a RoCE fabric, as far as adapters of NVIDIA have such switches."""
    wrong = state.machines[node].system
    transports = wires.plan(design).wiring.transports
    ports = {}
    for nic, link in wires.ethernet_ports(state, design, node):
        if transports[link.fabric] == "roce" and nic.adapter.startswith(("ConnectX", "BlueField")):
            on = [] if nic.name in wrong.ecn_off else list(PRIORITIES)
            code = 0 if nic.name in wrong.unmarked else DSCP
            ports[nic.name] = RocePort(
                interface=interface_name(nic.name),
                notifies=on,
                reacts=on,
                traffic_class=0 if nic.name in wrong.unmarked else TRAFFIC_CLASS,
                priorities={code: LOSSLESS},
            )
    return Roce(ports=ports)


def render(record: Roce) -> bytes:
    """The sections that the collector parses to `record`; what is None is left out."""
    lines = ["== devices", *(f"{device} {port.interface}" for device, port in record.ports.items()), "== ecn"]
    lines += [line for device, port in record.ports.items() for line in _ecn(device, port)]
    classes = {device: port.traffic_class for device, port in record.ports.items() if port.traffic_class is not None}
    lines += ["== class", *(f"{device}/tc/1/traffic_class:Global tclass={value}" for device, value in classes.items())]
    maps = {port.interface: port.priorities for port in record.ports.values() if port.priorities is not None}
    lines += ["== map", *(f"{interface} {_map(rows)}" for interface, rows in maps.items())]
    return "".join(f"{line}\n" for line in lines).encode()


def _ecn(device: str, port: RocePort) -> list[str]:
    points = {"np": port.notifies, "rp": port.reacts}
    return [
        f"{device}/device/net/{port.interface}/ecn/roce_{point}/enable/{priority}:{int(priority in on)}"
        for point, on in points.items()
        if on is not None
        for priority in PRIORITIES
    ]


def _map(rows: dict[int, int]) -> str:
    return json.dumps({"dscp_prio": [[code, priority, " "] for code, priority in rows.items()]})
