"""Every accelerator's host link has all its lanes."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Accelerators) -> Finding:
    """Compare the running width with the accelerator SKU; width, unlike generation, does not drop at idle."""
    part = compare.accelerator(expectation)
    return compare.every(
        expectation,
        compare.by_device(record, lambda device: device.pcie_width),
        lambda width: width >= part.pcie_width,
        what="PCIe link width",
        expected=str(part.pcie_width),
        source=compare.sku_source(part, "pcie_width"),
    )


def applies(expectation: Expectation) -> bool:
    """Parts on PCIe whose own tool reports the link; for others `pcie.accelerator_width` reads the bus."""
    part = expectation.node.accelerator
    return part is not None and part.pcie_width > 0 and part.vendor in ("nvidia", "amd")


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
