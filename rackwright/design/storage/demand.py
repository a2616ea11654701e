"""What the site's jobs demand of a tier: samples, checkpoints, reading back after an interruption, capacity.

A node runs one job at a time, so the classes on one pool together never demand more than the most demanding one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rackwright.catalog import workloads
from rackwright.design.storage import path as ways
from rackwright.design.storage.checkpoint import checkpoint_bytes
from rackwright.design.storage.jobs import job_count, job_nodes, pool_of
from rackwright.design.storage.study import CheckpointDemand, TierDemand, TierPath, WorkloadDemand
from rackwright.model.design import Design
from rackwright.model.workload import Loader, StorageTier, Workload

SECONDS = 60
GIGA = 1e9
TERA_TO_GIGA = 1e3
PETA_TO_GIGA = 1e6


def of_tier(design: Design, tier: StorageTier, path: TierPath) -> list[WorkloadDemand]:
    """The demand of every class of jobs that names `tier`, in the order of the site."""
    demands = []
    for workload in design.site.workloads:
        loads = workload.loader is not None and workload.loader.tier == tier.name
        saves = workload.checkpoint is not None and workload.checkpoint.tier == tier.name
        if loads or saves:
            demands.append(_workload(design, tier, path, workload, loads=loads, saves=saves))
    return demands


def loader_rates(loader: Loader) -> tuple[float, float]:
    """GB/s of one accelerator that never waits, and of one that waits as long as its profile allows."""
    if loader.gbytes_per_s_per_accelerator is not None:
        return loader.gbytes_per_s_per_accelerator, loader.gbytes_per_s_per_accelerator
    profile = workloads.load().loader(loader.profile or "")
    return (profile.gbytes_per_s, profile.gbytes_per_s * profile.min_utilization) if profile else (0.0, 0.0)


def accelerators(design: Design, workload: Workload) -> int:
    """Accelerators of one job."""
    server = design.servers[pool_of(design.site, workload).server]
    return job_nodes(design.site, workload) * server.accelerators


def together(demands: Sequence[WorkloadDemand]) -> TierDemand:
    """The demand of all classes at once: per pool that of the most demanding one, pools added up.

    A checkpoint must fit alone (``write``); all at the same time is the worst case, not the rule.
    """
    read = _summed_rate(demands, lambda demand: demand.jobs * demand.read_gbytes_per_s)
    saved = [(demand, demand.checkpoint) for demand in demands if demand.checkpoint]
    bursts = [read - demand.read_gbytes_per_s + checkpoint.restart_read_gbytes_per_s for demand, checkpoint in saved]
    room = sum(checkpoint.kept_gbytes for _, checkpoint in saved) + sum(demand.dataset_gbytes for demand in demands)
    return TierDemand(
        read_gbytes_per_s=read,
        least_read_gbytes_per_s=_summed_rate(demands, lambda demand: demand.jobs * demand.least_read_gbytes_per_s),
        write_gbytes_per_s=max((checkpoint.write_gbytes_per_s or 0.0 for _, checkpoint in saved), default=0.0),
        restart_read_gbytes_per_s=max(bursts, default=0.0),
        together_write_gbytes_per_s=_summed_rate(demands, _burst),
        capacity_pbytes=room / PETA_TO_GIGA,
    )


def _burst(demand: WorkloadDemand) -> float:
    return demand.jobs * (demand.checkpoint.write_gbytes_per_s or 0.0) if demand.checkpoint else 0.0


def _summed_rate(demands: Sequence[WorkloadDemand], rate: Callable[[WorkloadDemand], float]) -> float:
    most: dict[str, float] = {}
    for demand in demands:
        most[demand.pool] = max(most.get(demand.pool, 0.0), rate(demand))
    return sum(most.values())


def _workload(
    design: Design, tier: StorageTier, path: TierPath, workload: Workload, *, loads: bool, saves: bool
) -> WorkloadDemand:
    count = accelerators(design, workload)
    full, least = loader_rates(workload.loader) if loads and workload.loader else (0.0, 0.0)
    dataset = (workload.loader.dataset_terabytes or 0.0) * TERA_TO_GIGA if loads and workload.loader else 0.0
    return WorkloadDemand(
        workload=workload.name,
        pool=workload.pool,
        jobs=job_count(design.site, workload),
        nodes=job_nodes(design.site, workload),
        accelerators=count,
        read_gbytes_per_s=full * count,
        least_read_gbytes_per_s=least * count,
        other_accelerator=_other_accelerator(design, workload) if loads else None,
        dataset_gbytes=dataset,
        checkpoint=_checkpoint(design, tier, path, workload) if saves else None,
    )


def _other_accelerator(design: Design, workload: Workload) -> str | None:
    profile = workloads.load().loader(workload.loader.profile or "") if workload.loader else None
    pool_accelerator = design.servers[pool_of(design.site, workload).server].accelerator
    return profile.accelerator if profile and profile.accelerator != pool_accelerator else None


def _checkpoint(design: Design, tier: StorageTier, path: TierPath, workload: Workload) -> CheckpointDemand | None:
    saved, size = workload.checkpoint, (checkpoint_bytes(workload) or 0.0) / GIGA
    if saved is None:
        return None
    nodes, jobs = job_nodes(design.site, workload), job_count(design.site, workload)
    alone, limit = ways.job_rate(tier, path, workload.pool, nodes, "write")
    crowd, _ = ways.job_rate(tier, path, workload.pool, nodes * jobs, "write")
    back, _ = ways.job_rate(tier, path, workload.pool, nodes, "read")
    return CheckpointDemand(
        gbytes=size,
        kept_gbytes=size * saved.kept * jobs,
        allowed_seconds=saved.write_seconds,
        interval_minutes=saved.interval_minutes,
        write_gbytes_per_s=size / saved.write_seconds if saved.write_seconds else None,
        seconds=size / alone if alone else None,
        seconds_together=size * jobs / crowd if crowd else None,
        limited_by=limit if alone else None,
        restart_seconds=size / back if back else None,
        restart_read_gbytes_per_s=size / (design.site.operations.restart_minutes * SECONDS),
    )
