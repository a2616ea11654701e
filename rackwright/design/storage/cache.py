"""Local drives as a cache of a dataset: capacity, read rate, and when the prefetch must start.

A dataset too large for one node may be dealt out over the nodes of the job, if its sampler keeps to local data.
"""

from __future__ import annotations

from collections.abc import Mapping

from rackwright.design.storage import demand
from rackwright.design.storage import path as ways
from rackwright.design.storage.jobs import job_nodes, pool_of
from rackwright.design.storage.study import CacheStudy, TierPath
from rackwright.model.design import Design
from rackwright.model.sku import LocalStorage
from rackwright.model.workload import Loader, StorageTier, Workload


def of_tier(design: Design, tier: StorageTier, paths: Mapping[str, TierPath]) -> list[CacheStudy]:
    """The cache of every class of jobs whose loader reads the local tier `tier` and states the size of its dataset."""
    return [
        _cache(design, workload, workload.loader, drives, paths)
        for workload in design.site.workloads
        if tier.tier == "local" and workload.loader and workload.loader.tier == tier.name
        if workload.loader.dataset_terabytes
        if (drives := design.servers[pool_of(design.site, workload).server].local_storage)
    ]


def source_of(design: Design, loader: Loader) -> StorageTier | None:
    """The tier that a cache is filled from: the one named, else the first shared one."""
    shared = [tier for tier in design.site.storage if tier.tier != "local"]
    return next((tier for tier in shared if loader.filled_from in (None, tier.name)), None)


def _cache(
    design: Design, workload: Workload, loader: Loader, drives: LocalStorage, paths: Mapping[str, TierPath]
) -> CacheStudy:
    nodes = job_nodes(design.site, workload)
    each = drives.drives * drives.terabytes_each * demand.TERA_TO_GIGA
    dataset = (loader.dataset_terabytes or 0.0) * demand.TERA_TO_GIGA
    fill = min(dataset, each) * nodes if each >= dataset else min(dataset, each * nodes)
    required = demand.loader_rates(loader)[0] * demand.accelerators(design, workload)
    node = ways.drive_rates(drives)
    source = source_of(design, loader)
    rate, limit = _fill_rate(source, paths, workload.pool, nodes, node.write_gbytes_per_s * nodes)
    epoch = dataset / required if required else 0.0
    seconds = fill / rate if rate else None
    return CacheStudy(
        workload=workload.name,
        node_gbytes=each,
        dataset_gbytes=dataset,
        share_on_each_node=min(each / dataset, 1.0),
        share_on_all_nodes=min(each * nodes / dataset, 1.0),
        layout="each-node-all" if each >= dataset else "shared-out" if each * nodes >= dataset else "too-small",
        read_gbytes_per_s=node.read_gbytes_per_s * nodes,
        wanted_gbytes_per_s=required,
        source=source.name if source else None,
        fill_gbytes=fill,
        fill_seconds=seconds,
        fill_limited_by=limit,
        epoch_seconds=epoch,
        fill_gbytes_per_s=fill / epoch if epoch else 0.0,
        lead_seconds=max(seconds - epoch, 0.0) if seconds is not None else None,
    )


def _fill_rate(
    source: StorageTier | None, paths: Mapping[str, TierPath], pool: str, nodes: int, write: float
) -> tuple[float, str | None]:
    if source is None:
        return 0.0, None
    rate, limit = ways.job_rate(source, paths[source.name], pool, nodes, "read")
    return (write, "local-drives") if write < rate else (rate, limit)
