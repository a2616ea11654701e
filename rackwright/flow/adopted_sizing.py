"""Sizes the pools of an adopted site: each on the fabric that matches its links, and all of them as one site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rackwright.adopt import DraftPool
from rackwright.adopt.majority import usual
from rackwright.base.errors import ProblemsError
from rackwright.catalog import Catalog
from rackwright.design.sizing import SizeRequest, size_site
from rackwright.design.sizing.choose import fitting_fabrics
from rackwright.design.sizing.fit import Sized
from rackwright.design.sizing.several import SizedPools, join_pools
from rackwright.model.hostlist import fold_hosts


def size_pools(
    pools: Sequence[DraftPool], site: str, parts_catalog: Catalog
) -> tuple[dict[str, Sized], dict[str, str]]:
    """Every pool sized alone on the first fabric that its links fit, and the reason for each pool that cannot be sized."""
    sized: dict[str, Sized] = {}
    left_out: dict[str, str] = {}
    problem: ProblemsError | None = None
    for pool in pools:
        try:
            sized[pool.name] = _sized_pool(pool, site, parts_catalog)
        except ProblemsError as error:
            problem = problem or error
            left_out[pool.name] = (
                f"no site can be sized for {len(pool.hosts)} x {pool.server}: {error.problems[0].message}"
            )
    if problem and not sized:
        raise problem
    return sized, left_out


def _sized_pool(pool: DraftPool, site: str, parts_catalog: Catalog) -> Sized:
    transport, gbps = _links(pool, parts_catalog)
    count = len(pool.hosts)
    server = parts_catalog.servers[pool.server]
    fabrics = fitting_fabrics(pool.server, count, transport, gbps, parts_catalog)
    fabrics = fabrics or fitting_fabrics(pool.server, count, "", 0, parts_catalog)
    problem: ProblemsError | None = None
    for fabric in fabrics or ["ndr-rail"]:  # the usual one reports why it does not fit
        request = SizeRequest(count * server.accelerators, pool.server, fabric, scheduler=pool.scheduler, site=site)  # type: ignore[arg-type]
        try:
            return size_site(request, parts_catalog)
        except ProblemsError as error:
            problem = problem or error
    assert problem is not None, "at least one fabric was tried"
    raise problem


def _links(pool: DraftPool, parts_catalog: Catalog) -> tuple[str, int]:
    """Transport and rate in Gb/s of the compute ports; empty and 0 if no link is up or none was read."""
    compute = [group for group in parts_catalog.servers[pool.server].ports if group.role == "compute"]
    names = {name for group in compute for name in group.names}
    up = [a for a in pool.hardware.adapters or () if a.gbps and names & {a.name, a.netdev}]
    transport = usual("infiniband" if adapter.infiniband else "roce" for adapter in up) or ""
    return transport, usual(adapter.gbps for adapter in up) or 0


def join_sized(
    sized: Mapping[str, Sized], pools: Sequence[DraftPool], parts_catalog: Catalog
) -> tuple[SizedPools, dict[str, str]]:
    """One site of as many pools as fit together, the largest first, and the reason for each pool that does not fit."""
    chosen: dict[str, Sized] = {}
    apart: dict[str, str] = {}
    joined: SizedPools | None = None
    for pool in pools:
        if pool.name not in sized:
            continue
        try:
            joined = join_pools({**chosen, pool.name: sized[pool.name]}, parts_catalog)
            chosen[pool.name] = sized[pool.name]
        except ProblemsError as error:
            if not chosen:
                raise
            hosts = fold_hosts(reading.host for reading in pool.readings)
            apart[pool.name] = f"{error.problems[0].message}; give it a file of its own: rackwright adopt {hosts}"
    assert joined is not None, "at least one pool was sized"
    return joined, apart
