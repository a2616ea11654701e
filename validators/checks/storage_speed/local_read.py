"""Reading from the node's own drives is as fast as they are together."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.storage import LocalStorage
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: LocalStorage) -> Finding:
    """Divide what fio reached by the sum of the drives as the server SKU states them; a job with errors is no reading."""
    drives = expectation.node.server.local_storage
    total = drives.drives * drives.read_gbytes_per_s_each if drives is not None else 0
    speed = loads.job(seen.jobs, "read")
    share = speed.gbytes_per_s / total if speed is not None and total else None
    where = speed.path if speed is not None else "local file system"
    return compare.at_least(
        expectation,
        {where: share},
        "storage_speed.local_share",
        what=f"share of {total:.4g} GB/s that fio's read reached on {where}",
    )


def applies(expectation: Expectation) -> bool:
    """Only nodes with data drives of their own."""
    return compare.has_accelerators(expectation) and expectation.node.server.local_storage is not None


CHECK = Check(reads=LocalStorage, judge=judge, applies=applies)
