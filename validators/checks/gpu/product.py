"""Every accelerator is the product that was bought."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Accelerators) -> Finding:
    """Compare the product name of every accelerator with those of the accelerator SKU."""
    part = compare.accelerator(expectation)
    return compare.every(
        expectation,
        compare.by_device(record, lambda device: device.product_name or None),
        lambda name: name in part.product_names,
        what="product name",
        expected=" or ".join(part.product_names),
        source=compare.sku_source(part, "product_name"),
    )


CHECK = Check(reads=Accelerators, judge=judge, applies=compare.has_accelerators)
