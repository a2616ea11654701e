"""The file system on the local drives is mounted and writable."""

from rackwright import compare
from rackwright.compare.threshold import Quantity, threshold
from rackwright.model.check import Expectation
from rackwright.model.evidence.mounts import Mounts


def writable(expectation: Expectation, record: Mounts, folders: list[str]) -> dict[str, Quantity]:
    """Whether the folder of the site's options, otherwise that of the limits, is mounted for writing."""
    target = str(expectation.software.options.get("local_nvme_mount") or folders[0])
    mounts = [mount for mount in record.mounts if mount.target == target]
    if not mounts:
        return {target: Quantity(False, "not mounted")}
    state = f"{mounts[-1].kind} of {mounts[-1].source}"
    good = "rw" in mounts[-1].options
    return {target: Quantity(good, state if good else f"{state}, read-only")}


def applies(expectation: Expectation) -> bool:
    """Servers with data drives."""
    return expectation.node.server.local_storage is not None and compare.has_accelerators(expectation)


CHECK = threshold(
    reads=Mounts,
    metric="storage.local_mount",
    readings=writable,
    good=lambda good, _: good,
    what="local scratch",
    expected="mounted for writing",
    source="site software.options.local_nvme_mount",
    applies=applies,
)
