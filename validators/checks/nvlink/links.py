"""Every NVLink of the part is up."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Accelerators) -> Finding:
    """Compare the active links of every accelerator with the SKU (none for a part without NVLink)."""
    part = compare.accelerator(expectation)
    return compare.every(
        expectation,
        compare.by_device(record, lambda device: sum(device.nvlink_active)),
        lambda active: active == part.nvlink_links,
        what="active NVLinks",
        expected=str(part.nvlink_links),
        source=compare.sku_source(part, "nvlink_links"),
    )


CHECK = Check(reads=Accelerators, judge=judge, applies=compare.has_accelerators)
