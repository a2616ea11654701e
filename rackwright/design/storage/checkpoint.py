"""The size of a checkpoint and the time to write it, for the availability and the tier studies.

The declared interval is ``workload.checkpoint.interval_minutes``; the best one follows in the availability study.
"""

from __future__ import annotations

from rackwright.catalog import workloads
from rackwright.design.storage import path
from rackwright.design.storage.jobs import job_nodes
from rackwright.model.design import Design
from rackwright.model.workload import Workload


def checkpoint_bytes(workload: Workload) -> float | None:
    """Bytes of one checkpoint of `workload`: parameters times bytes per parameter; None when it saves nothing.

    Unless the site declares a figure, a parameter takes the bytes that MLPerf Storage writes for model and optimizer (``workloads.yaml``).
    """
    saved = workload.checkpoint
    if saved is None:
        return None
    each = saved.bytes_per_parameter or workloads.load().bytes_per_parameter.total
    return saved.parameters_billions * 1e9 * each


def checkpoint_seconds(design: Design, workload: Workload) -> float | None:
    """Seconds that one job of `workload` stalls for a checkpoint while no other job writes.

    Bytes divided by the least of: the tier's promise, its servers' promise, their ports and uplinks, and the uplinks and
    ports of the job's own nodes. None when it saves nothing, or no path leads from its pool to the tier.
    """
    size = checkpoint_bytes(workload)
    tier = next(
        (tier for tier in design.site.storage if workload.checkpoint and tier.name == workload.checkpoint.tier), None
    )
    if size is None or tier is None:
        return None
    rate, _ = path.job_rate(
        tier, path.find_path(design, tier), workload.pool, job_nodes(design.site, workload), "write"
    )
    return size / 1e9 / rate if rate else None
