"""One node reads and writes the shared file system at the rate that its design promises a single node."""

from rackwright import compare
from rackwright.compare import loads
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.storage import FileSpeed, SharedStorage
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: SharedStorage) -> Finding:
    """Compare fio's reading and writing with the floors; a job with errors makes the verdict inconclusive."""

    def speed(job: FileSpeed | None) -> float | None:
        return job.gbytes_per_s if job is not None else None

    where = f"{record.path} ({record.filesystem})"
    read, write = speed(loads.find_job(record.jobs, "read")), speed(loads.find_job(record.jobs, "write"))
    return loads.combine_findings(
        [
            compare.at_least(
                expectation, {where: read}, "storage_speed.shared_read_gbytes_per_s", what=f"reading {where}"
            ),
            compare.at_least(
                expectation, {where: write}, "storage_speed.shared_write_gbytes_per_s", what=f"writing {where}"
            ),
        ]
    )


CHECK = Check(
    reads=SharedStorage,
    judge=judge,
    applies=loads.mounts_storage,
)
