"""Effects of interruptions on every class of jobs: time between them, checkpoint interval, share of time spent on work.

Field names carry their units.
"""

from __future__ import annotations

import math
from typing import Any

from rackwright.catalog.failure_rates import FailureRates, TrainingRun
from rackwright.design.availability import checkpoint
from rackwright.design.availability.interruptions import Counts, estimates, mtbi_hours, per_day
from rackwright.design.storage.checkpoint import checkpoint_seconds
from rackwright.model.design import Design
from rackwright.model.workload import Workload

SECONDS_PER_HOUR = 3600.0
SECONDS_PER_MINUTE = 60.0


def row(workload: Workload, pool: Counts, design: Design, rates: FailureRates, run: TrainingRun) -> dict[str, Any]:
    """Figures of one class of jobs; `pool` holds the part counts of its whole pool."""
    nodes = workload.nodes or int(pool.nodes)
    job = pool.times(nodes / pool.nodes)
    hours = mtbi_hours(sum(per_day(job, run).values()))
    intervals = estimates(job, rates, run)
    return {
        "workload": workload.name,
        "pool": workload.pool,
        "kind": workload.kind,
        "nodes": nodes,
        "accelerators": round(job.accelerators),
        "interruptions_per_day": round(sum(per_day(job, run).values()), 6),
        "mtbi_hours": hours,
        "mtbi_range_hours": [intervals[0]["mtbi_hours"], intervals[-1]["mtbi_hours"]] if intervals else None,
        "estimates": intervals,
        "checkpoint": _checkpoint(workload, design, hours) if workload.checkpoint and hours else None,
    }


def _checkpoint(workload: Workload, design: Design, hours: float) -> dict[str, Any]:
    """Intervals and goodput; null if the time to write is unknown or infinite (no path leads to the tier)."""
    assert workload.checkpoint is not None, "only workloads that save are asked"
    stall = checkpoint_seconds(design, workload)
    restart = design.site.operations.restart_minutes * SECONDS_PER_MINUTE
    declared = workload.checkpoint.interval_minutes
    figures: dict[str, Any] = {"stall_seconds": stall, "restart_seconds": restart, "mtbi_hours": hours}
    figures |= {"declared": None, "young": None, "best": None, "used": None}
    mtbi = hours * SECONDS_PER_HOUR
    if stall is None or not math.isfinite(stall * mtbi):
        return figures
    intervals = {
        "declared": declared * SECONDS_PER_MINUTE if declared else None,
        "young": checkpoint.young_interval(stall, mtbi),
        "best": checkpoint.daly_interval(stall, mtbi),
    }
    for name, interval in intervals.items():
        figures[name] = _shares(interval, stall, mtbi, restart) if interval else None
    return figures | {"used": "declared" if declared else "best"}


def _shares(interval: float, stall: float, mtbi: float, restart: float) -> dict[str, float]:
    """Shares of time for work and for each loss; losses may exceed 1, so that a reader sees how far off the job is."""
    return {
        "interval_minutes": interval / SECONDS_PER_MINUTE,
        "goodput": checkpoint.goodput(interval, stall, mtbi, restart),
        "lost_to_writing": stall / interval,
        "lost_to_rework": interval / (2 * mtbi),
        "lost_to_restart": restart / mtbi,
    }
