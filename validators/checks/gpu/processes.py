"""No process uses an accelerator while the node is tested."""

from rackwright import compare
from rackwright.compare.applicability import has_capability
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Accelerators) -> Finding:
    """A node under acceptance has no job; a process that remains holds memory and power."""
    return compare.every(
        expectation,
        compare.by_device(record, lambda device: None if device.processes is None else tuple(device.processes)),
        lambda running: not running,
        what="process ids of programs on accelerators:",
        expected="none",
        source="a node in acceptance is drained",
    )


CHECK = Check(reads=Accelerators, judge=judge, applies=has_capability("processes"))
