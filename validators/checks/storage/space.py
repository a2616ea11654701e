"""Every mounted data file system has free space."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.mounts import Mounts
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Mounts) -> Finding:
    """Compare the free share of every data file system with the limit; `host.disk_space` covers the root."""
    row = compare.limit(expectation, "storage.free_share")
    kinds = compare.limit(expectation, "storage.kinds")
    if row is None or kinds is None:
        return compare.no_limit(expectation, "storage.free_share and storage.kinds")
    least = compare.number(row)
    data = [
        mount
        for mount in record.mounts
        if mount.kind in compare.words(kinds) and mount.target != "/" and mount.bytes != 0
    ]
    shares = {
        mount.target: None if mount.available_bytes is None or not mount.bytes else mount.available_bytes / mount.bytes
        for mount in data
    }
    return compare.every(
        expectation,
        {target: None if share is None else f"{share:.1%} free" for target, share in shares.items()},
        lambda text: text in {f"{share:.1%} free" for share in shares.values() if share is not None and share >= least},
        what="space on",
        expected=f"at least {least:.0%} free",
        source=compare.limit_source(row),
    )


def applies(expectation: Expectation) -> bool:
    """Nodes with data drives."""
    return expectation.node.server.local_storage is not None and compare.has_accelerators(expectation)


CHECK = Check(reads=Mounts, judge=judge, applies=applies)
