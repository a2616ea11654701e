"""All accelerators of the node run the same VBIOS, and the pinned one where a version is pinned."""

from rackwright.compare.applicability import has_capability
from rackwright.compare.pinned_versions import judge_pinned
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Accelerators) -> Finding:
    """Compare with the limit for this accelerator, otherwise with most accelerators of the node."""
    return judge_pinned(expectation, record, "gpu.vbios", lambda device: device.vbios, what="VBIOS")


CHECK = Check(reads=Accelerators, judge=judge, applies=has_capability("board"))
