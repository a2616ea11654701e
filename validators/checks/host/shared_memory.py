"""Processes of a job can share as much memory as collectives need."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.mounts import Mounts
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Mounts) -> Finding:
    """Compare the size of the shared-memory file system with the limit."""
    row = compare.limit(expectation, "host.shared_memory_gib")
    place = compare.limit(expectation, "host.shared_memory_path")
    if row is None or place is None:
        return compare.no_limit(expectation, "host.shared_memory_gib and host.shared_memory_path")
    least = compare.number(row)
    path = compare.words(place)[0]
    sizes = [mount.bytes for mount in record.mounts if mount.target == path and mount.bytes is not None]
    mounted = any(mount.target == path for mount in record.mounts)
    text = f"{sizes[-1] / compare.GIB:.1f} GiB" if sizes else ("no reading" if mounted else "not mounted")
    return compare.every(
        expectation,
        {path: None if mounted and not sizes else text},
        lambda _: bool(sizes) and sizes[-1] >= least * compare.GIB,
        what="shared memory",
        expected=f"at least {least:g} GiB",
        source=compare.limit_source(row),
    )


CHECK = Check(reads=Mounts, judge=judge, applies=compare.has_accelerators)
