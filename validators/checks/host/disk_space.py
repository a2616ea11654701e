"""The system drive has room, and can be written."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.mounts import Mount, Mounts
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Mounts) -> Finding:
    """Compare the free share of the root file system with the limit."""
    row = compare.limit(expectation, "host.free_share")
    if row is None:
        return compare.no_limit(expectation, "host.free_share")
    least = compare.number(row)
    root = [one for one in seen.mounts if one.target == "/"]
    return compare.every(
        expectation,
        {"root file system": text(root[-1]) if root else None},
        lambda _: "rw" in root[-1].options and free(root[-1]) >= least,
        what="space:",
        expected=f"at least {least:.0%} free, mounted for writing",
        source=compare.limit_source(row),
    )


def free(mount: Mount) -> float:
    """Share that is free."""
    return (mount.available_bytes or 0) / mount.bytes if mount.bytes else 0


def text(mount: Mount) -> str | None:
    """Free share and mode in words; None when the size is not known."""
    if mount.bytes is None or mount.available_bytes is None:
        return None
    return f"{free(mount):.1%} free, {'writable' if 'rw' in mount.options else 'read-only'}"


def applies(expectation: Expectation) -> bool:
    """Nodes that are onboarded and have accelerators: others are not asked for their mounts."""
    return compare.is_onboarded(expectation) and compare.has_accelerators(expectation)


CHECK = Check(reads=Mounts, judge=judge, applies=applies)
