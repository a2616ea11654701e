"""The node's data drives reach the random reads per second of their kind."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.storage import LocalFilesystems
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: LocalFilesystems) -> Finding:
    """Divide fio's random reads per second by the number of drives; a job with errors makes the verdict inconclusive."""
    drives = expectation.node.server.local_storage
    speed = loads.find_job(record.jobs, "randread")
    each = speed.operations_per_s / drives.drives if speed is not None and drives is not None else None
    where = speed.path if speed is not None else "local file system"
    return compare.at_least(
        expectation,
        {where: each},
        "storage_speed.drive_operations_per_s",
        what=f"random reads per second and drive on {where}",
    )


def applies(expectation: Expectation) -> bool:
    """Nodes with data drives."""
    return compare.has_accelerators(expectation) and expectation.node.server.local_storage is not None


CHECK = Check(reads=LocalFilesystems, judge=judge, applies=applies)
