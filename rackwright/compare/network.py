"""Planned ports of a node, and the readings of them.

A port is named with the switch port where its cable belongs, because that is where an engineer goes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

from rackwright.compare.fabric import subnet_links, switch_name
from rackwright.compare.named_readings import NamedReadings
from rackwright.compare.per_kind import per_node
from rackwright.model.check import Expectation
from rackwright.model.design import Link
from rackwright.model.evidence.fabric import FabricLink
from rackwright.model.evidence.link import LinkReading, Links
from rackwright.model.evidence.network import Ethernet, EthernetPort, Rdma, RdmaDevice
from rackwright.model.sku import NVIDIA_ADAPTERS, SLINGSHOT

R = TypeVar("R")
T = TypeVar("T")

MBPS_PER_GBPS = 1000
MINUTES_PER_DAY = 1440
SECONDS_PER_DAY = 86400


def host_links(expectation: Expectation) -> Sequence[Link]:
    """Planned cables of the node without those of its accelerators' ports, which the host does not see."""
    ports = expectation.node.accelerator_ports
    return [link for link in expectation.links if link.port not in ports] if ports else expectation.links


@per_node
def rdma_links(expectation: Expectation) -> list[Link]:
    """Planned cables of the operating system's ports into InfiniBand and RoCE fabrics."""
    transports = expectation.wiring.transports
    return [link for link in host_links(expectation) if transports.get(link.fabric) in ("infiniband", "roce")]


def roce_links(expectation: Expectation) -> list[Link]:
    """Planned cables into RoCE fabrics."""
    return [link for link in rdma_links(expectation) if expectation.wiring.transports[link.fabric] == "roce"]


@per_node
def ethernet_links(expectation: Expectation) -> list[Link]:
    """Planned cables of the operating system's ports into Ethernet fabrics, RoCE included."""
    transports, bmc = expectation.wiring.transports, bmc_links(expectation)
    ethernet_transports = ("ethernet", "roce")
    return [
        link
        for link in host_links(expectation)
        if transports.get(link.fabric) in ethernet_transports and link not in bmc
    ]


def slingshot_links(expectation: Expectation) -> list[Link]:
    """Planned cables of Slingshot adapters, which carry RDMA but are not RDMA devices."""
    groups = expectation.node.server.ports
    ports = {name for group in groups if group.adapter.startswith(SLINGSHOT) for name in group.names}
    return [link for link in ethernet_links(expectation) if link.port in ports]


def counting_links(expectation: Expectation) -> list[Link]:
    """Planned cables of ports whose adapters count bit errors."""
    return [*nvidia_links(expectation), *slingshot_links(expectation)]


def bmc_links(expectation: Expectation) -> list[Link]:
    """Planned cables of the node's BMC."""
    bmc = {name for group in expectation.node.server.ports if group.role == "bmc" for name in group.names}
    return [link for link in expectation.links if link.port in bmc]


def carries_rdma(expectation: Expectation) -> bool:
    """Whether it is an accelerator node with RDMA ports; for `Check.applies`."""
    return expectation.node.role == "accelerator" and bool(rdma_links(expectation))


@per_node
def nvidia_links(expectation: Expectation) -> list[Link]:
    """Planned cables of ConnectX and BlueField adapters into InfiniBand and RoCE fabrics.

    Only these adapters have board numbers and release trains, and `mlxlink` reads no others.
    """
    groups = expectation.node.server.ports
    ports = {name for group in groups if group.adapter.startswith(NVIDIA_ADAPTERS) for name in group.names}
    return [link for link in rdma_links(expectation) if link.port in ports]


def has_mlxlink(expectation: Expectation) -> bool:
    """Whether it is an accelerator node with RDMA ports that `mlxlink` reads; for `Check.applies`."""
    return expectation.node.role == "accelerator" and bool(nvidia_links(expectation))


def counts_errors(expectation: Expectation) -> bool:
    """Whether it is an accelerator node with ports whose adapters count bit errors; for `Check.applies`."""
    return expectation.node.role == "accelerator" and bool(counting_links(expectation))


def carries_roce(expectation: Expectation) -> bool:
    """Whether it is an accelerator node with RoCE ports; for `Check.applies`."""
    return expectation.node.role == "accelerator" and bool(roce_links(expectation))


def carries_ethernet(expectation: Expectation) -> bool:
    """Whether rackwright may read its operating system and it has Ethernet ports; for `Check.applies`."""
    return expectation.node.role in ("accelerator", "slurm", "kubernetes") and bool(ethernet_links(expectation))


def manages_subnets(expectation: Expectation) -> bool:
    """Whether it is a machine for subnet managers with a port in a subnet; for `Check.applies`."""
    return expectation.node.role == "ufm" and bool(subnet_links(expectation))


@per_node
def fibre_links(expectation: Expectation) -> list[Link]:
    """Planned cables of RDMA ports that are optical, so that their modules have sensors, which `mlxlink` reads."""
    parts = expectation.wiring.parts
    return [link for link in nvidia_links(expectation) if link.sku in parts and "copper" not in parts[link.sku].medium]


def carries_light(expectation: Expectation) -> bool:
    """Whether it is an accelerator node with optical RDMA ports; for `Check.applies`."""
    return expectation.node.role == "accelerator" and bool(fibre_links(expectation))


def port_place(link: Link) -> str:
    """A port and the switch port where its cable belongs, in words."""
    return f"{link.port} (to {link.remote_device} port {link.remote_port})"


def by_place(
    links: Sequence[Link], shown_ports: Sequence[R | None], read: Callable[[R], T | None]
) -> NamedReadings[T | None]:
    """One reading of every port of `links`, read from `shown_ports` in the same order; None for a port that is None
    there.
    """
    return NamedReadings([None if port is None else read(port) for port in shown_ports], lambda: map(port_place, links))


def rdma_device(rdma: Rdma, port: str) -> RdmaDevice | None:
    """The RDMA device of a planned port; None if it is missing."""
    return rdma.devices.get(port)


def ethernet_interface(ethernet: Ethernet, port: str) -> EthernetPort | None:
    """The network interface of a planned port, which the design may call by its RDMA device; None if it is missing."""
    return ethernet.ports.get(ethernet.interfaces.get(port, port))


def by_device(expectation: Expectation, rdma: Rdma, read: Callable[[RdmaDevice], T | None]) -> NamedReadings[T | None]:
    """One reading of every planned RDMA port; None if the device is missing."""
    links = rdma_links(expectation)
    return by_place(links, [rdma_device(rdma, link.port) for link in links], read)


def by_link(
    expectation: Expectation,
    links_read: Links,
    read: Callable[[LinkReading], T | None],
    links: Callable[[Expectation], Sequence[Link]] = nvidia_links,
) -> NamedReadings[T | None]:
    """One reading of the physical layer of every planned port of `links`; None if the tool could not read it."""
    planned = links(expectation)
    return by_place(planned, [links_read.ports.get(link.port) for link in planned], read)


def by_interface(
    expectation: Expectation, ethernet: Ethernet, read: Callable[[EthernetPort], T | None]
) -> NamedReadings[T | None]:
    """One reading of every planned Ethernet port; None if the interface is missing."""
    links = ethernet_links(expectation)
    return by_place(links, [ethernet_interface(ethernet, link.port) for link in links], read)


IN_PLACE = "in its planned port"


def announced_place(expectation: Expectation, link: Link, announced: Iterable[tuple[str, str]]) -> str | None:
    """`IN_PLACE`, or where the cable is and whose place it took, by the switches and ports announced at its end; None
    if none is announced.
    """
    neighbours = {expectation.wiring.announced_port(system, port) for system, port in announced}
    if (link.remote_device.lower(), link.remote_port) in neighbours:
        return IN_PLACE
    places = []
    for switch, far in sorted(neighbours):
        owner, owner_port = expectation.wiring.plugs.get((switch, far), ("no cable", ""))
        places.append(f"is on {switch} port {far}, where {owner} {owner_port}".rstrip() + " belongs")
    return "; ".join(places) or None


def cabling(expectation: Expectation) -> Hashable:
    """Key of the server and its cabled ports: nodes with an equal key have the same ports for `rdma_links` and
    `nvidia_links`, wherever the cables end.
    """
    return expectation.node.server.sku, tuple([(link.fabric, link.port) for link in expectation.links])


MANAGER_STATES = {0: "not active", 1: "discovering", 2: "standby", 3: "master"}
"""Names of SMInfo:SMState (InfiniBand Architecture Specification, volume 1)."""


def machine_behind(expectation: Expectation, link: FabricLink) -> str:
    """The machine or switch at the near end of `link`: by the switch port that it is connected to, otherwise as the
    subnet names it.
    """
    if link.kind == "Switch":
        return switch_name(link.name)
    at = (switch_name(link.remote_name), link.remote_port)
    return expectation.owners.get(at, (link.name, ""))[0]
