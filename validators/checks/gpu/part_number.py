"""All accelerators of the node are the same board."""

from rackwright.compare.pinned_versions import nvidia, pinned
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Accelerators) -> Finding:
    """Compare with the limits row for this accelerator, or else with what most accelerators of the node have."""
    return pinned(expectation, record, "gpu.part_number", lambda device: device.part_number, what="board part number")


CHECK = Check(reads=Accelerators, judge=judge, applies=nvidia)
