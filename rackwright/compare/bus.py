"""What the checks of the PCI bus share: which functions are judged, and which adapters the server SKU has there.

Kept out of the checks because five
of them judge the same functions and three count the same adapters.
"""

from __future__ import annotations

from collections import Counter

from rackwright.compare.limits import limit, words
from rackwright.compare.parts import accelerator, has_accelerators
from rackwright.model.check import Expectation
from rackwright.model.evidence.pci import Pci, PciDevice

ON_ACCELERATOR = "accelerator"
"""Stands in ``pcie.adapter_ids`` for adapters that are part of the accelerator: they have no function of their own on the bus."""
IDS = "pcie.vendor_id or pcie.adapter_ids"
"""The limits without which `functions` knows nothing."""


def functions(expectation: Expectation, pci: Pci) -> list[PciDevice] | None:
    """Accelerators, network adapters and the bridges above them; None when the limits do not know their ids (`IDS`)."""
    vendor = limit(expectation, "pcie.vendor_id")
    names = {port.adapter for port in expectation.node.server.ports if port.role != "bmc"}
    rows = [limit(expectation, "pcie.adapter_ids", adapter=name) for name in names]
    if vendor is None or None in rows:
        return None
    ids = [word for row in rows if row is not None for word in words(row)]
    ends = [*pci.accelerators(str(vendor.value)), *pci.adapters(ids)]
    return [*ends, *pci.above(ends)]


def function_name(function: PciDevice) -> str:
    """How a finding names a function: where it is and what it is."""
    return f"{function.address} ({function.pci_id})"


def adapter_ports(expectation: Expectation) -> Counter[str]:
    """How many ports of each kind of adapter the server SKU has on the bus, those on the accelerators left out."""
    ports: Counter[str] = Counter()
    for port in expectation.node.server.ports:
        row = limit(expectation, "pcie.adapter_ids", adapter=port.adapter)
        if port.role != "bmc" and (row is None or words(row) != [ON_ACCELERATOR]):
            ports[port.adapter] += port.count
    return ports


def accelerators_on_bus(expectation: Expectation) -> bool:
    """Whether the accelerators of the node are attached over PCIe."""
    return has_accelerators(expectation) and accelerator(expectation).pcie_width > 0


def adapters_on_bus(expectation: Expectation) -> bool:
    """Whether a node with accelerators has adapters of its own on the bus."""
    return has_accelerators(expectation) and bool(adapter_ports(expectation))
