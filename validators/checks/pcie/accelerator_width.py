"""The host link of every accelerator has all its lanes, as the PCI bus reports it."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.pci import Pci
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Pci) -> Finding:
    """Compare the width that the link status shows with the accelerator SKU; width does not drop at idle."""
    part = compare.accelerator(expectation)
    vendor = compare.limit(expectation, "pcie.vendor_id")
    if vendor is None:
        return compare.no_limit(expectation, "pcie.vendor_id")
    return compare.every(
        expectation,
        {f"accelerator {function.address}": function.width for function in record.accelerators(str(vendor.value))},
        lambda width: width >= part.pcie_width,
        what="PCIe link width",
        expected=str(part.pcie_width),
        source=compare.sku_source(part, "pcie_width"),
    )


def applies(expectation: Expectation) -> bool:
    """Nodes with accelerators on PCIe whose tools do not report the link."""
    part = expectation.node.accelerator
    return part is not None and part.pcie_width > 0 and "pcie_link" not in part.capabilities


CHECK = Check(reads=Pci, judge=judge, applies=applies)
