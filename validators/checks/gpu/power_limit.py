"""No accelerator has a power limit below its board power."""

from rackwright import compare
from rackwright.compare.applicability import has_capability
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Accelerators) -> Finding:
    """Compare the limit in force with the board power of the SKU."""
    part = compare.accelerator(expectation)
    return compare.every(
        expectation,
        compare.by_device(record, lambda device: device.power_limit_watts),
        lambda watts: watts >= part.tdp_watts,
        what="power limit in watts",
        expected=f"at least {part.tdp_watts}",
        source=compare.sku_source(part, "tdp_watts"),
    )


def applies(expectation: Expectation) -> bool:
    """Nodes whose accelerators have a published board power and a tool that reports the limit."""
    return has_capability("power_limit")(expectation) and compare.accelerator(expectation).tdp_watts > 0


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
