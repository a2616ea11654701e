"""A node soon sees files that other nodes have written to the shared file system."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.storage import Sight, Visibility
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: Visibility) -> Finding:
    """Compare the delays of the files that this node read; a file that never appeared fails."""
    row = compare.limit(expectation, "storage_speed.visible_seconds")
    most = compare.number(row) if row is not None else 0
    sights = [sight for sight in record.sights if sight.reader == expectation.node.name]
    delays = {f"{sight.writer} seen on {record.path}": after(sight, most) for sight in sights if sight.matches}
    lost = [sight.writer for sight in sights if not sight.matches]
    finding = compare.at_most(expectation, delays, "storage_speed.visible_seconds", what="file of another node")
    if not lost:
        return finding
    return compare.finding(
        expectation,
        finding.outcome if delays else Outcome.FAIL if row is not None else Outcome.INCONCLUSIVE,
        what=f"files on {record.path}",
        observed="; ".join([*(f"of {writer} never seen" for writer in lost), *(["others are"] if delays else [])]),
        expected="files of every other node",
        source=compare.limit_source(row) if row is not None else "",
    )


def after(sight: Sight, most: float) -> float | None:
    """The delay; None if the file appeared before it was written by more than the limit: then the clocks are wrong."""
    return sight.seconds if sight.seconds is not None and sight.seconds >= -most else None


CHECK = Check(
    reads=Visibility,
    judge=judge,
    applies=loads.mounts_storage,
)
