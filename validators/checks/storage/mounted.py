"""The file system on the local drives is mounted and writable."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.mounts import Mounts
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Mounts) -> Finding:
    """Look for the folder in the site's options, else for that of the limits."""
    row = compare.limit(expectation, "storage.local_mount")
    if row is None:
        return compare.no_limit(expectation, "storage.local_mount")
    target = str(expectation.software.options.get("local_nvme_mount") or compare.words(row)[0])
    mounts = [mount for mount in record.mounts if mount.target == target]
    state = f"{mounts[-1].kind} of {mounts[-1].source}" if mounts else "not mounted"
    writable = bool(mounts) and "rw" in mounts[-1].options
    return compare.every(
        expectation,
        {target: state if writable or not mounts else f"{state}, read-only"},
        lambda _: writable,
        what="local scratch",
        expected="mounted for writing",
        source=f"site software.options.local_nvme_mount; {compare.limit_source(row)}",
    )


def applies(expectation: Expectation) -> bool:
    """Only servers with data drives have such a file system."""
    return expectation.node.server.local_storage is not None and compare.has_accelerators(expectation)


CHECK = Check(reads=Mounts, judge=judge, applies=applies)
