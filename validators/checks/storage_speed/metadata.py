"""The shared file system creates small files fast enough for one node."""

from rackwright.compare import loads
from rackwright.compare.threshold import at_least, measured
from rackwright.model.evidence.storage import SharedStorage


def place(storage: SharedStorage) -> str:
    """Path and type of the file system."""
    return f"{storage.path} ({storage.filesystem})"


CHECK = measured(
    reads=SharedStorage,
    metric="storage_speed.creates_per_s",
    readings=lambda _, storage: {place(storage): storage.creates_per_s},
    good=at_least,
    what=lambda _, storage: f"files made per second on {place(storage)}",
    applies=loads.mounts_storage,
)
