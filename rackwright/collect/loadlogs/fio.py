"""fio's JSON report (``--output-format=json``): its jobs and their speeds.

Shape: axboe/fio 3.x, HOWTO "JSON output", stat.c.
"""

from __future__ import annotations

from typing import Any

from rackwright.collect.collector import ParseError
from rackwright.collect.loadlogs import document
from rackwright.model.evidence.storage import FileSpeed

UNITS = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30}
GIGA = 1e9
MIXED = ("rw", "readwrite", "randrw")
"""Values of rw for a job that reads and writes (fio(1), I/O type)."""


def report(output: str) -> dict[str, Any]:
    """The JSON document; fio may print notes before it. ParseError if there is none."""
    try:
        output_json = document.read(output[max(output.find("{"), 0) :])
    except ValueError as error:
        raise ParseError(1, output, f"fio's JSON report ({str(error)[:60]})") from None
    if not isinstance(output_json, dict) or not isinstance(output_json.get("jobs"), list) or not output_json["jobs"]:
        raise ParseError(1, output, "fio's JSON report with at least one job")
    return output_json


def jobs(report: dict[str, Any]) -> list[FileSpeed]:
    """Speeds of all jobs; ParseError for a job that lacks a figure."""
    shared = report.get("global options", {})
    try:
        return [speed for job in report["jobs"] for speed in _job(job, shared)]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ParseError(1, str(report)[:200], f"a job of fio ({type(error).__name__}: {error})") from None


def _job(job: dict[str, Any], shared: dict[str, Any]) -> list[FileSpeed]:
    """Speed of a job; for a mixed job two, one of reads and one of writes."""
    options = {**shared, **job.get("job options", {})}
    way = options.get("rw") or options.get("readwrite", "read")
    sides = ("read", "write") if way in MIXED else ("write",) if "write" in way else ("read",)
    sizes = [*map(_bytes, options["bs"].split(","))]  # of reads, writes and trims
    return [
        FileSpeed(
            job=f"{job['jobname']} {side}" if len(sides) > 1 else job["jobname"],
            path=options.get("directory", options.get("filename", "")),
            block_bytes=sizes[min(len(sizes) - 1, side == "write")],
            gbytes_per_s=job[side]["bw_bytes"] / GIGA,
            operations_per_s=float(job[side]["iops"]),
            errors=job["error"],
        )
        for side in sides
    ]


def _bytes(text: str) -> int:
    """``4k``, ``1M``, ``4096B`` in bytes (fio's default kb_base of 1024)."""
    lower = text.lower().removesuffix("b").removesuffix("i")
    unit = lower[-1:] if lower[-1:] in ("k", "m", "g") else ""
    return int(lower.removesuffix(unit)) * UNITS[unit]
