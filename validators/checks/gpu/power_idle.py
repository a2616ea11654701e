"""No idle accelerator draws more than a part of its board power."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Accelerators) -> Finding:
    """Compare the draw with a share of the SKU's board power; an accelerator with a program on it is not idle and tells nothing."""
    part = compare.accelerator(expectation)
    row = compare.limit(expectation, "gpu.power_idle_share")
    if row is None:
        return compare.no_limit(expectation, "gpu.power_idle_share")
    most = compare.number(row) * part.tdp_watts
    return compare.every(
        expectation,
        compare.by_device(seen, lambda device: None if device.processes else compare.positive(device.power_watts)),
        lambda watts: watts <= most,
        what="idle power in watts",
        expected=f"at most {most:g}",
        source=f"{compare.sku_source(part, 'tdp_watts')}; {compare.limit_source(row)}",
    )


def applies(expectation: Expectation) -> bool:
    """Parts without a published board power have nothing to compare with; some tools do not show what is drawn."""
    part, silent = expectation.node.accelerator, ("moore-threads", "biren")
    return part is not None and part.tdp_watts > 0 and part.vendor not in silent


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
