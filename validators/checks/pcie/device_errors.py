"""Neither an accelerator nor an adapter nor a bridge above them has seen a fatal PCIe error since its status was cleared."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.pci import Pci, PciDevice
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Pci) -> Finding:
    """Compare what the device status holds with what no healthy device shows."""
    found = functions(expectation, seen)
    row = compare.limit(expectation, "pcie.refused_status")
    if found is None or row is None:
        return compare.no_limit(
            expectation, "pcie.refused_status" if found is not None else "pcie.vendor_id or pcie.adapter_ids"
        )
    return compare.every(
        expectation,
        {f"{one.address} ({one.pci_id})": None if one.errors is None else tuple(one.errors) for one in found},
        lambda value: not any(word in compare.words(row) for word in value),
        what="PCIe device status:",
        expected=f"none of {', '.join(compare.words(row))}",
        source=compare.limit_source(row),
    )


def functions(expectation: Expectation, seen: Pci) -> list[PciDevice] | None:
    """Accelerators, network adapters and the bridges above them; None when the limits do not know their ids."""
    vendor = compare.limit(expectation, "pcie.vendor_id")
    names = {port.adapter for port in expectation.node.server.ports if port.role != "bmc"}
    rows = [compare.limit(expectation, "pcie.adapter_ids", adapter=name) for name in names]
    if vendor is None or None in rows:
        return None
    ids = [word for row in rows if row is not None for word in compare.words(row)]
    ends = [*seen.accelerators(str(vendor.value)), *seen.adapters(ids)]
    return [*ends, *seen.above(ends)]


def applies(expectation: Expectation) -> bool:
    """Nodes whose accelerators are attached over PCIe."""
    return compare.has_accelerators(expectation) and compare.accelerator(expectation).pcie_width > 0


CHECK = Check(title="No device has seen a fatal bus error", reads=Pci, judge=judge, applies=applies)
