"""The real ends and rates of the cables of a twin's ports, and the facts of its adapters, for all observers of networks.

InfiniBand cables are in the state, as built; an Ethernet cable ends as planned unless its port or its switch differs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rackwright.base import yaml_text
from rackwright.judge.expect import cabling
from rackwright.model.design import Design, Link, Node
from rackwright.model.wiring import Wiring
from rackwright.twin.hardware import ids
from rackwright.twin.hardware.state import BuiltCable, CableEnd, MachinePort, State

FULL_LANES = 4
SPEEDS = {25: "EDR", 50: "HDR", 100: "NDR", 200: "XDR"}
"""Gb/s of one lane -> name of the speed (InfiniBand Trade Association, roadmap)."""


@dataclass(frozen=True)
class CablePlan:
    """Ports and cables, as designed."""

    links: Mapping[str, tuple[Link, ...]]
    """Planned cables of each machine."""
    wiring: Wiring
    numbers: Mapping[tuple[str, str], int]
    """(switch, port name) -> number on the switch."""
    rates: Mapping[str, int]
    """Cable -> Gb/s."""


_plans: list[tuple[Design, CablePlan]] = []
"""The plan of the latest design; a list, because designs hold tables and cannot be hashed."""


def plan(design: Design) -> CablePlan:
    """The plan of `design`."""
    if not _plans or _plans[0][0] is not design:
        switches = {row["device"] for row in design.devices.iter_rows(named=True) if row["kind"] == "switch"}
        ports = design.ports.iter_rows(named=True)
        numbers = {(row["device"], row["port"]): row["number"] for row in ports if row["device"] in switches}
        rates = {row["cable"]: row["gbps"] for row in design.cables.iter_rows(named=True)}
        turned = cabling(design)
        _plans[:] = [(design, CablePlan(turned.links, turned.wiring, numbers, rates))]
    return _plans[0][1]


def rdma_ports(state: State, design: Design, node: str) -> list[tuple[MachinePort, Link]]:
    """The ports of `node` that are cabled into an InfiniBand or RoCE fabric and present on its bus."""
    plan_of_site = plan(design)
    return [
        (port, link) for port, link in _cabled(state, plan_of_site, design.node(node))
        if plan_of_site.wiring.transports[link.fabric] in ("infiniband", "roce") and port.link.present
    ]  # fmt: skip


def ethernet_ports(state: State, design: Design, node: str) -> list[tuple[MachinePort, Link]]:
    """The ports of `node` that are cabled into an Ethernet fabric, RoCE included."""
    plan_of_site = plan(design)
    return [
        (port, link) for port, link in _cabled(state, plan_of_site, design.node(node))
        if plan_of_site.wiring.transports[link.fabric] in ("ethernet", "roce") and port.link.present
    ]  # fmt: skip


def _cabled(state: State, plan_of_site: CablePlan, node: Node) -> Iterator[tuple[MachinePort, Link]]:
    """Ports of the host: those of accelerators are no devices of it."""
    planned = {
        link.port: link for link in plan_of_site.links.get(node.name, ()) if link.port not in node.accelerator_ports
    }
    for port in state.machines[node.name].nics:
        if port.name in planned:
            yield port, planned[port.name]


def rate(state: State, design: Design, node: str, port: MachinePort, link: Link) -> int:
    """Gb/s at which a port runs; 0 while its link is down."""
    if not port.link.up:
        return 0
    if plan(design).wiring.transports[link.fabric] != "infiniband":
        return port.link.gbps or link.gbps
    cable = state.plugged.get(CableEnd(node, port.name))
    return trained(state, cable, link.gbps) if cable is not None else 0


def trained(state: State, cable: BuiltCable, planned: int) -> int:
    """Gb/s of an InfiniBand cable as built; 0 when it is not connected, or when a port at its end does not train."""
    width = FULL_LANES
    for end in (cable.a, cable.b):
        port = nic(state, end)
        if port is not None:
            width = min(width, port.link.lanes) if port.link.present and port.link.up else 0
    return (cable.gbps or planned) * width // FULL_LANES if cable.connected else 0


def lanes(port: MachinePort | None) -> int:
    """Lanes in use at a port; all of them at a switch."""
    return FULL_LANES if port is None else port.link.lanes


def speed(gbps: int, width: int) -> str:
    """The name of the speed of `width` lanes at `gbps` together."""
    return SPEEDS.get(gbps // max(width, 1), "")


def nic(state: State, end: CableEnd) -> MachinePort | None:
    """The adapter port at the end of a cable; None at a switch, or at a machine outside the twin."""
    machine = state.machines.get(end.device)
    return next((nic for nic in machine.nics if nic.name == end.port), None) if machine else None


def neighbour(port: MachinePort) -> tuple[str, str] | None:
    """Switch and port at the other end of an Ethernet cable; None without a neighbour announcement."""
    return port.link.far if port.link.up else None


@dataclass(frozen=True)
class Adapter:
    """Facts that adapters of a model report."""

    device: str
    firmware: str
    board: str


def adapter(model: str) -> Adapter:
    """The facts of an adapter model of the server SKU."""
    match = ids.longest(_adapters(), model)
    return Adapter(**match)


@cache
def _adapters() -> dict[str, dict[str, str]]:
    text = (Path(__file__).parent / "parts" / "adapters.yaml").read_text(encoding="utf-8")
    return dict(yaml_text.load(text)["adapters"])
