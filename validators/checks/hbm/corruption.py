"""Data written to the memory of an accelerator is read back unchanged, over nearly all of it."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.compare.applicability import has_capability
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.load import Corruption, DevicePatterns
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Corruption) -> Finding:
    """Compare changed words, and the share of memory that every pattern covered, with their limits; each part needs all patterns."""

    patterns = {run.pattern for device in record.devices for run in device.runs}

    def covered(device: DevicePatterns) -> float | None:
        if patterns - {run.pattern for run in device.runs}:
            return None
        smallest = min((run.bytes for run in device.runs), default=None)
        return smallest / device.memory_bytes if smallest is not None and device.memory_bytes else None

    def changed(device: DevicePatterns) -> int | None:
        return sum(run.mismatches for run in device.runs) if device.runs else None

    short = loads.untested_finding(expectation, len(record.devices), "memory patterns")
    words = compare.at_most(
        expectation,
        compare.by_device(record, changed),
        "hbm.mismatched_words",
        what="words that came back changed",
    )
    share = compare.at_least(
        expectation,
        compare.by_device(record, covered),
        "hbm.tested_share",
        what="share of the memory that was tested",
    )
    if (outcome := loads.no_worse_than_unknown(share.outcome)) is not share.outcome:
        share = share.model_copy(update={"outcome": outcome})
    return loads.combine_findings([words, share, *([short] if short else [])])


CHECK = Check(
    reads=Corruption,
    judge=judge,
    applies=has_capability("diagnosis"),
)
