"""The memory of every accelerator is as fast as that of its kind."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.load import MemoryBandwidth
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: MemoryBandwidth) -> Finding:
    """Compare the median of the later repetitions of a copy within the part with the floor."""
    short = loads.untested(expectation, len(seen.devices), "memory copies")
    found = compare.at_least(
        expectation,
        compare.by_device(seen, lambda device: compare.late(device.copy_gbytes_per_s)),
        "hbm.copy_gbytes_per_s",
        what="memory copy within the accelerator",
    )
    return loads.together([found, *([short] if short else [])])


CHECK = Check(
    reads=MemoryBandwidth,
    judge=judge,
    applies=loads.runs_burns,
)
