"""Faults of one network port of the twin, its adapter and the cable in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rackwright.model.design import Node


@dataclass(frozen=True)
class LinkState:
    """Readings that a fault changes; the defaults are those of a healthy port."""

    present: bool = True
    """False: there is no device, because its driver did not bind or the adapter is off the bus."""
    up: bool = True
    """False: something is plugged in and the link does not train."""
    lanes: int = 4
    gbps: int = 0
    """Rate of an Ethernet port; 0 as planned. That of an InfiniBand cable stands on the cable."""
    raw_ber: float = 3e-10
    effective_ber: float = 1.5e-254
    symbol_ber: float = 1.5e-254
    """What mlxlink prints for no error in a day (``15E-255``)."""
    minutes: float = 1440.0
    """Since the counters of the port were cleared."""
    downs: int = 0
    """Times the link went down in `minutes`."""
    counters: Mapping[str, int] = field(default_factory=dict)
    """Error counters of the port by the kernel's names (``symbol_error``); those left out are 0."""
    growth: Mapping[str, int] = field(default_factory=dict)
    """What a soak adds to those counters."""
    fec: str = ""
    """FEC in use; empty: the one that the rate requires."""
    part: str = ""
    """Part number of the module; empty: the planned one."""
    meters: float | None = None
    """Length that a copper cable reports; None: the planned one."""
    temperature_celsius: float = 48.0
    light_dbm: tuple[float, ...] = (1.2, 1.0, 1.4, 0.9)
    firmware: str = ""
    board: str = ""
    """Firmware and PSID that differ from those of the model."""
    slot: str = ""
    """PCI address, where the kernel found the device elsewhere."""
    link_layer: str = ""
    """What the port is set to speak, where it is not what its fabric speaks."""
    mtu: int = 4096
    """Active MTU of the RDMA device in bytes."""
    keys: tuple[int, ...] | None = None
    """Partition table; None: full membership of the default partition and of what the site declares."""
    gid: bool = True
    """False: the interface of a RoCE port has no address, so there is no GID to route by."""
    lossless: tuple[int, ...] = (3,)
    """Priorities with flow control of a RoCE port."""
    far: tuple[str, str] | None = None
    """Switch and port at which an Ethernet cable ends; None where there is none. InfiniBand cables stand in the state."""
    crc_errors: int = 0
    carrier_downs: int = 1
    """Times that an Ethernet port lost its carrier since boot; once is the bring-up."""


def healthy(node: Node, port: str, far: tuple[str, str] | None = None) -> LinkState:
    """Port `port` of `node` as it was planned, its Ethernet cable ending at `far`."""
    del node, port
    return LinkState(far=far)
