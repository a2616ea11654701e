"""The system drive has free space and is writable."""

from rackwright import compare
from rackwright.compare.threshold import Quantity, threshold
from rackwright.model.check import Expectation
from rackwright.model.evidence.mounts import Mount, Mounts


def free(mount: Mount) -> float:
    """Free share of the file system."""
    return (mount.available_bytes or 0) / mount.bytes if mount.bytes else 0


def root(mounts: Mounts) -> Quantity | None:
    """The last mount on ``/``, with free share and mode in words; None if it or its size is missing."""
    mount = next((mount for mount in reversed(mounts.mounts) if mount.target == "/"), None)
    if mount is None or mount.bytes is None or mount.available_bytes is None:
        return None
    return Quantity(mount, f"{free(mount):.1%} free, {'writable' if 'rw' in mount.options else 'read-only'}")


def applies(expectation: Expectation) -> bool:
    """Nodes that are onboarded and have accelerators: mounts are collected only there."""
    return compare.is_onboarded(expectation) and compare.has_accelerators(expectation)


CHECK = threshold(
    reads=Mounts,
    metric="host.free_share",
    values=lambda mounts: {"root file system": root(mounts)},
    good=lambda mount, least: "rw" in mount.options and free(mount) >= least,
    what="space:",
    expected="at least {bound:.0%} free, mounted for writing",
    applies=applies,
)
