"""Every accelerator has the memory that was bought, less the reserved share."""

from rackwright import compare
from rackwright.compare.threshold import threshold
from rackwright.model.evidence.accelerator import Accelerators

CHECK = threshold(
    reads=Accelerators,
    metric="gpu.memory_share",
    value=lambda device: device.memory_total_bytes or None,
    good=lambda total, gibibytes: total >= gibibytes * compare.GIB,
    share_of=lambda expectation: (compare.accelerator(expectation), "memory_gib"),
    what="memory in bytes",
    expected="at least {bound:g} GiB",
    applies=compare.has_accelerators,
)
