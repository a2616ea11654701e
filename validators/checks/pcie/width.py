"""Every accelerator's host link has all its lanes."""

from rackwright import compare
from rackwright.compare.applicability import has_capability
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


CHECK = Check(reads=Accelerators, judge=judge, applies=has_capability("pcie_link"))
