"""Jobs as fio's JSON report prints them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from rackwright.model.evidence.storage import FileSpeed

GIGA = 1e9


def text(tool: str, jobs: Sequence[FileSpeed]) -> str:
    """The report; speeds must be whole bytes per second. An option for all jobs stands once (tests/cases/collectors/fio_local/one_disk.yaml)."""
    folder = jobs[0].path if jobs else ""
    shared = {"directory": folder, "direct": "1"}
    return json.dumps({"fio version": tool, "global options": shared, "jobs": [_job(job, folder) for job in jobs]})


def _job(job: FileSpeed, folder: str) -> dict[str, Any]:
    side = "write" if "write" in job.job else "read"
    idle: dict[str, Any] = {"io_bytes": 0, "bw_bytes": 0, "iops": 0.0}
    done = {"io_bytes": 1, "bw_bytes": round(job.gbytes_per_s * GIGA), "iops": job.operations_per_s}
    return {
        "jobname": job.job,
        "error": job.errors,
        "job options": {"name": job.job, "rw": job.job, "bs": str(job.block_bytes)}
        | ({} if job.path == folder else {"directory": job.path}),
        "read": done if side == "read" else idle,
        "write": done if side == "write" else idle,
    }
