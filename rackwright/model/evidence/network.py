"""Network adapters of one node as its kernel reports them: RDMA devices (sysfs, verbs) and Ethernet ports (sysfs, LLDP)."""

from __future__ import annotations

from collections.abc import Mapping

from rackwright.model.base import Record

GUID_DIGITS = 16


class Gid(Record):
    """One row of the GID table of a port."""

    index: int
    address: str
    """Sixteen bytes as eight groups of four hex digits."""
    kind: str
    """``IB/RoCE v1`` or ``RoCE v2``."""


class RdmaDevice(Record):
    """One device below /sys/class/infiniband, with its first port."""

    pci_address: str
    """``0000:18:00.0``."""
    model: str
    """``hca_type`` (``MT4129``)."""
    firmware: str
    board: str
    """``board_id``, the PSID."""
    node_guid: str
    numa_node: int | None
    """None where the platform has none to tell."""
    link_layer: str
    """``InfiniBand`` or ``Ethernet``."""
    state: str
    """``ACTIVE``, ``INIT``, ``DOWN``."""
    physical_state: str
    """``LinkUp``, ``Polling``, ``Disabled``."""
    rate: str
    """As printed (``400 Gb/sec (4X NDR)``)."""
    active_mtu: int | None
    """Bytes; None when `ibv_devinfo` is not there or does not show the device."""
    partition_keys: list[int]
    """16 bits each: the highest one says full membership."""
    gids: list[Gid]
    counters: dict[str, int]
    """Error and traffic counters of the port by the kernel's names, since the driver was loaded."""


def port_guids(devices: Mapping[str, RdmaDevice]) -> dict[str, str]:
    """By InfiniBand device: the GUID of its first port, which is the second half of its first GID (IBA volume 1, 4.1.1), else of the device."""
    guids = {}
    for name, device in devices.items():
        first = next((gid.address for gid in device.gids if gid.index == 0), "")
        digits = (first or device.node_guid).replace(":", "")[-GUID_DIGITS:]
        if device.link_layer == "InfiniBand" and len(digits) == GUID_DIGITS:
            guids[name] = f"0x{digits}"
    return guids


class Rdma(Record):
    """All RDMA devices of a node, and the kernel modules that let them reach accelerator memory."""

    kernel: str
    modules: list[str]
    """Loaded kernel modules of RDMA and of accelerators."""
    open_driver: bool | None
    """Whether NVIDIA's driver has open kernel modules; None without that driver."""
    devices: dict[str, RdmaDevice]


class PortCounters(Record):
    """The counters of all RDMA ports of a node, read twice."""

    seconds: float
    """Between the readings."""
    before: dict[str, dict[str, int]]
    """Device -> counter -> value."""
    after: dict[str, dict[str, int]]


class Neighbour(Record):
    """The neighbour at the other end of an Ethernet cable (LLDP)."""

    system: str
    port: str


class EthernetPort(Record):
    """One network interface with a device behind it."""

    mac: str
    operational: str
    """``up``, ``down``, ``dormant``."""
    mbps: int | None
    """None while the link is down."""
    mtu: int
    carrier_downs: int | None
    """Times the carrier was lost since the driver was loaded."""
    counters: dict[str, int]
    """Of /sys/class/net/*/statistics (``rx_crc_errors``, ``rx_packets``)."""
    neighbours: list[Neighbour]
    lossless: list[int] | None
    """Priorities with flow control (PFC); None where the driver does not tell."""


class Ethernet(Record):
    """The Ethernet side of a node."""

    uptime_seconds: float
    heard: bool
    """Whether an LLDP daemon answered: without one, no neighbour says nothing about the cable."""
    ports: dict[str, EthernetPort]
    interfaces: dict[str, str]
    """RDMA device -> its network interface (``mlx5_0``: ``enp24s0np0``), for ports that the design calls by the device."""
