"""Converts the readings of one node to the hardware that a SKU describes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from rackwright.adopt.node_texts import DEVICE_NAME, fits, line
from rackwright.adopt.reading import NodeReading
from rackwright.model.accelerator import Accelerator
from rackwright.model.evidence.cpu import Cpu
from rackwright.model.evidence.host import Host
from rackwright.model.evidence.network import Ethernet, Rdma, RdmaDevice
from rackwright.model.evidence.pci import Pci
from rackwright.model.hostlist import natural_key
from rackwright.model.survey import Identity

GIB = 2**30
RATE = re.compile(r"(\d+(?:\.\d+)?) Gb/sec")
UP = "ACTIVE"
NVSWITCH = ("0680", "10de:")
"""PCI class and vendor of NVSwitches."""


@dataclass(frozen=True)
class PciTables:
    """Meaning of PCI ids, from the limits."""

    vendors: Mapping[str, str]
    """Vendor of accelerators -> its PCI id (``nvidia``: ``10de``)."""
    adapters: Mapping[str, str]
    """Vendor and device -> kind of network adapter (``15b3:1021``: ``ConnectX-7``)."""


@dataclass(frozen=True)
class RdmaAdapter:
    """One RDMA device."""

    name: str
    model: str
    """Kind of the catalog (``ConnectX-7``), otherwise the type that the device reports (``MT4129``)."""
    infiniband: bool
    gbps: int
    """Rate of the link in Gb/s; 0 while it is down."""
    netdev: str
    """Its network interface; empty if it has none."""


@dataclass(frozen=True)
class Hardware:
    """Hardware of one node. None: not read."""

    manufacturer: str
    product: str
    vendor: str
    """Vendor of the accelerators; empty if none were found."""
    accelerator: str
    """Product name by the vendor's tool; empty if the tool did not answer."""
    accelerators: int | None
    """Count by the vendor's tool."""
    on_bus: int | None
    """Count by lspci."""
    bus_ids: tuple[str, ...]
    """PCI ids of the accelerators, each once."""
    memory_gib_each: int
    """Memory of an accelerator; 0: not read."""
    watts_each: int
    """Default power limit of an accelerator; 0: not read."""
    nvswitches: int
    sockets: int | None
    cores_per_socket: int | None
    cpu_model: str
    memory_gib: int | None
    adapters: tuple[RdmaAdapter, ...] | None
    interfaces: Mapping[str, int] | None
    """Ethernet interfaces with a device behind them -> Gb/s; 0 while the link is down."""

    def in_parts(self, part: Accelerator) -> Hardware:
        """The hardware with the number of parts, instead of the numbers of devices that the driver shows and of
        functions on the bus.
        """
        tool, bus = (
            None if count is None else -(-count // each)
            for count, each in ((self.accelerators, part.devices), (self.on_bus, part.functions))
        )
        return replace(self, accelerators=tool, on_bus=bus, memory_gib_each=self.memory_gib_each * part.devices)


def read_hardware(reading: NodeReading, tables: PciTables) -> Hardware:
    """The hardware of the machine in `reading`."""
    identity, cpu, host, pci = reading.get(Identity), reading.get(Cpu), reading.get(Host), reading.get(Pci)
    vendor = reading.vendor or _vendor_on_bus(pci, tables)
    on_bus = pci.accelerators(tables.vendors[vendor]) if pci and vendor in tables.vendors else []
    devices = reading.accelerators.devices if reading.accelerators else []
    names = Counter(device.product_name for device in devices)
    return Hardware(
        manufacturer=line(identity.manufacturer) if identity else "",
        product=line(identity.product) if identity else "",
        vendor=vendor,
        accelerator=line(names.most_common(1)[0][0]) if names else "",
        accelerators=len(devices) if reading.accelerators else None,
        on_bus=len(on_bus) if pci and vendor else None,
        bus_ids=tuple(sorted({device.pci_id for device in on_bus})),
        memory_gib_each=max((round(device.memory_total_bytes / GIB) for device in devices), default=0),
        watts_each=max((round(device.power_limit_default_watts or 0) for device in devices), default=0),
        nvswitches=sum(d.pci_class == NVSWITCH[0] and d.pci_id.startswith(NVSWITCH[1]) for d in pci.devices) if pci else 0,
        sockets=cpu.sockets if cpu else None,
        cores_per_socket=cpu.cores_per_socket if cpu else None,
        cpu_model=line(cpu.model) if cpu else "",
        memory_gib=round(host.memory_bytes / GIB) if host else None,
        adapters=_adapters(reading, pci, tables),
        interfaces=_interfaces(reading.get(Ethernet)),
    )  # fmt: skip


def _vendor_on_bus(pci: Pci | None, tables: PciTables) -> str:
    """The vendor of most accelerators on the bus, for nodes whose tool does not answer."""
    counts = {vendor: len(pci.accelerators(number)) for vendor, number in tables.vendors.items()} if pci else {}
    return max(counts, key=counts.__getitem__) if any(counts.values()) else ""


def _adapters(reading: NodeReading, pci: Pci | None, tables: PciTables) -> tuple[RdmaAdapter, ...] | None:
    rdma, ethernet = reading.get(Rdma), reading.get(Ethernet)
    if rdma is None:
        return None
    ids = {device.address: device.pci_id for device in pci.devices} if pci else {}
    netdevs = ethernet.interfaces if ethernet else {}
    kinds = {tables.adapters[number] for number in ids.values() if number in tables.adapters}
    only = kinds.pop() if len(kinds) == 1 else ""
    return tuple(
        RdmaAdapter(
            name=name,
            model=tables.adapters.get(ids.get(device.pci_address, "")) or only or line(device.model),
            infiniband=device.link_layer == "InfiniBand",
            gbps=_gbps(device),
            netdev=netdevs.get(name, ""),
        )
        for name, device in sorted(rdma.devices.items(), key=lambda pair: natural_key(pair[0]))
        if fits(name, DEVICE_NAME)
    )


def _gbps(device: RdmaDevice) -> int:
    match = RATE.match(device.rate)
    return round(float(match[1])) if match and device.state == UP else 0


def _interfaces(ethernet: Ethernet | None) -> dict[str, int] | None:
    if ethernet is None:
        return None
    return {name: (port.mbps or 0) // 1000 for name, port in ethernet.ports.items() if fits(name, DEVICE_NAME)}
