"""Accelerators, adapters and the bridges above them use packets of full size."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.pci import Pci, PciDevice
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Pci) -> Finding:
    """The smallest payload on a way holds for all of it: compare every function on it with the limit."""
    found = functions(expectation, seen)
    row = compare.limit(expectation, "pcie.max_payload_bytes")
    if found is None or row is None:
        return compare.no_limit(
            expectation, "pcie.max_payload_bytes" if found is not None else "pcie.vendor_id or pcie.adapter_ids"
        )
    return compare.every(
        expectation,
        {f"{one.address} ({one.pci_id})": one.max_payload_bytes for one in found},
        lambda value: value >= compare.number(row),
        what="PCIe payload in bytes",
        expected=f"at least {row.value}",
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


CHECK = Check(title="Full payload on the way", reads=Pci, judge=judge, applies=applies)
