"""No idle accelerator draws more than a share of its board power."""

from rackwright import compare
from rackwright.compare.threshold import at_most, threshold
from rackwright.model.check import Expectation
from rackwright.model.evidence.accelerator import Accelerators


def applies(expectation: Expectation) -> bool:
    """Nodes whose accelerators have a published board power and a tool that reports the draw."""
    part = expectation.node.accelerator
    return part is not None and part.tdp_watts > 0 and part.power_reading


CHECK = threshold(
    reads=Accelerators,
    metric="gpu.power_idle_share",
    # an accelerator with a program on it is not idle
    value=lambda device: None if device.processes else compare.positive(device.power_watts),
    good=at_most,
    share_of=lambda expectation: (compare.accelerator(expectation), "tdp_watts"),
    what="idle power in watts",
    applies=applies,
)
