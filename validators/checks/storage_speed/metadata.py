"""The shared file system makes small files fast enough for one node."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.storage import SharedStorage
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: SharedStorage) -> Finding:
    """Compare creates per second with the floor."""
    return compare.at_least(
        expectation,
        {f"{seen.path} ({seen.filesystem})": seen.creates_per_s},
        "storage_speed.creates_per_s",
        what=f"files made per second on {seen.path} ({seen.filesystem})",
    )


CHECK = Check(
    reads=SharedStorage,
    judge=judge,
    applies=loads.mounts_storage,
)
