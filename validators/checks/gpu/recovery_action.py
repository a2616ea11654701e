"""The driver asks for no reset, restart or drain of any accelerator."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Accelerators) -> Finding:
    """Compare the action that the driver asks for now with none."""
    row = compare.limit(expectation, "gpu.recovery_action")
    if row is None:
        return compare.no_limit(expectation, "gpu.recovery_action")
    wanted = compare.words(row)
    return compare.every(
        expectation,
        compare.by_device(seen, lambda device: device.recovery_action),
        lambda action: action in wanted,
        what="recovery asked for by the driver:",
        expected=" or ".join(wanted),
        source=compare.limit_source(row),
    )


def applies(expectation: Expectation) -> bool:
    """The driver tells it from R565 on."""
    row = compare.limit(expectation, "gpu.recovery_action_driver")
    vendor = compare.accelerator(expectation).vendor if compare.has_accelerators(expectation) else ""
    known = row is None or compare.version(expectation.software.driver) >= compare.version(str(row.value))
    return vendor == "nvidia" and known


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
