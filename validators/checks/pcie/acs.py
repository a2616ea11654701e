"""No bridge above an accelerator or a network adapter sends traffic between them up to the processor."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.pci import BRIDGE, Pci, PciDevice
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Pci) -> Finding:
    """Compare the services that are on in every bridge with those that redirect traffic."""
    found = functions(expectation, seen)
    row = compare.limit(expectation, "pcie.refused_acs")
    if found is None or row is None:
        return compare.no_limit(
            expectation, "pcie.refused_acs" if found is not None else "pcie.vendor_id or pcie.adapter_ids"
        )
    return compare.every(
        expectation,
        {
            f"{one.address} ({one.pci_id})": None if one.max_payload_bytes is None else tuple(one.acs or ())
            for one in [one for one in found if one.pci_class == BRIDGE]
        },
        lambda value: not any(service in compare.words(row) for service in value),
        what="Access Control Services that are on:",
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


CHECK = Check(title="Access Control Services are off", reads=Pci, judge=judge, applies=applies)
