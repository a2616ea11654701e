"""Every accelerator has a network adapter of the compute network below the same PCIe switch."""

from rackwright import compare
from rackwright.compare import bus
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.pci import Pci, PciDevice, shared
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Pci) -> Finding:
    """Look for an adapter that shares more of its PCI path than the root port: then a switch joins the two."""
    vendor = compare.limit(expectation, "pcie.vendor_id")
    rows = [compare.limit(expectation, "pcie.adapter_ids", adapter=name) for name in rails(expectation)]
    if vendor is None or None in rows:
        return compare.no_limit(expectation, "pcie.vendor_id or pcie.adapter_ids")
    adapters = record.adapters([word for row in rows if row is not None for word in compare.words(row)])
    accelerators = record.accelerators(str(vendor.value))

    def nearest(accelerator: PciDevice) -> str:
        """The adapters that share a switch with the accelerator, or `ALONE`."""
        below = [adapter.address for adapter in adapters if shared(accelerator, adapter) > 1]
        return f"with {', '.join(below)}" if below else ALONE

    return compare.every(
        expectation,
        {f"accelerator {accelerator.address}": nearest(accelerator) for accelerator in accelerators},
        lambda text: text != ALONE,
        what="PCIe switches:",
        expected="an adapter of the compute network below the switch of every accelerator",
        source=compare.sku_source(expectation.node.server, "ports"),
    )


def rails(expectation: Expectation) -> list[str]:
    """Kinds of adapters of the compute network."""
    return [port.adapter for port in expectation.node.server.ports if port.role == "compute"]


def applies(expectation: Expectation) -> bool:
    """Servers with one adapter per accelerator, both on PCIe, behind PCIe switches."""
    part, ports = expectation.node.accelerator, expectation.node.server.ports
    rail_ports = sum(port.count for port in ports if port.role == "compute")
    row = [compare.limit(expectation, "pcie.adapter_ids", adapter=name) for name in rails(expectation)]
    separate = any(limit is None or compare.words(limit) != [bus.ON_ACCELERATOR] for limit in row)
    return part is not None and part.pcie_width > 0 and separate and rail_ports >= expectation.node.accelerators


ALONE = "no adapter below its switch"
CHECK = Check(reads=Pci, judge=judge, applies=applies)
