"""Error correction is on for every accelerator that has it."""

from rackwright import compare
from rackwright.compare.applicability import has_capability
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Accelerators) -> Finding:
    """Compare the ECC mode of every accelerator with what its SKU has."""
    part = compare.accelerator(expectation)
    return compare.every(
        expectation,
        compare.by_device(record, lambda device: device.ecc_enabled),
        lambda enabled: enabled == part.ecc,
        what="ECC enabled",
        expected=str(part.ecc),
        source=compare.sku_source(part, "ecc"),
    )


def applies(expectation: Expectation) -> bool:
    """Nodes whose accelerators have ECC and a tool that reports its mode."""
    return has_capability("ecc_mode")(expectation) and compare.accelerator(expectation).ecc


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
