"""The path from the nodes of the pools to a storage tier: ports, uplinks, servers, or local drives."""

from __future__ import annotations

import polars as pl

from rackwright.design.storage import uplinks
from rackwright.design.storage.study import Direction, PathPart, PoolPath, Rates, Stage, TierPath
from rackwright.model.design import Design
from rackwright.model.fabric import Fabric
from rackwright.model.sku import LocalStorage
from rackwright.model.workload import StorageTier

BITS = 8
NO_SWITCH_LINKS = ("node_leaf", "uplink")


def fabric_of(design: Design, tier: StorageTier) -> Fabric | None:
    """The fabric over which `tier` is reached: the one it names, else that of role storage, else in-band."""
    if tier.tier == "local":
        return None
    same_name = [fabric for fabric in design.site.fabrics if fabric.name == tier.fabric]
    by_role = [fabric for role in ("storage", "inband") for fabric in design.site.fabrics if fabric.role == role]
    return next(iter(same_name if tier.fabric else by_role), None)


def find_path(design: Design, tier: StorageTier) -> TierPath:
    """The path of `tier`: every stage that limits it, from the servers to the nodes."""
    if tier.tier == "local":
        return _local(design)
    fabric = fabric_of(design, tier)
    if fabric is None:
        return TierPath(fabric=None, assumed=False, parts=_servers(design, tier), pools={})
    hosts = _hosts(design, fabric, tier)
    assumed = tier.servers is None
    leaves = _leaves(design, fabric, hosts, assumed=assumed)
    pools = {
        row["pool"]: PoolPath(nodes=row["nodes"], node=_equal_rates(row["gbps"] / row["nodes"]))
        for row in _by_pool(hosts).iter_rows(named=True)
    }
    parts = [*_servers(design, tier), *_ports(tier, leaves, assumed=assumed), *_uplinks(design, fabric, leaves)]
    total = sum(pool.nodes * pool.node.read_gbytes_per_s for pool in pools.values())
    count = sum(pool.nodes for pool in pools.values())
    parts.append(_part("node-ports", f"{count} nodes", total))
    return TierPath(fabric=fabric.name, assumed=assumed, parts=parts, pools=pools)


def path_rate(tier: StorageTier, path: TierPath, direction: Direction) -> tuple[float, str]:
    """Rate that all nodes together get, GB/s, and the stage that limits it (``promise`` when that is lowest)."""
    return _lowest_stage(tier, path, direction, 1.0)


def job_rate(tier: StorageTier, path: TierPath, pool: str, nodes: int, direction: Direction) -> tuple[float, str]:
    """Rate that a job on `nodes` nodes of `pool` gets alone, GB/s, and the stage that limits it; 0 without a path."""
    share_of_pool = path.pools.get(pool)
    if share_of_pool is None:
        return 0.0, "node-ports" if path.fabric else "local-drives"
    total = sum(entry.nodes * entry.node.of(direction) for entry in path.pools.values())
    share = min(nodes * share_of_pool.node.of(direction) / total, 1.0) if total else 0.0
    return _lowest_stage(tier, path, direction, share)


def drive_rates(drives: LocalStorage) -> Rates:
    """What all drives of one node read and write together."""
    return Rates(
        read_gbytes_per_s=drives.drives * drives.read_gbytes_per_s_each,
        write_gbytes_per_s=drives.drives * drives.write_gbytes_per_s_each,
    )


def _lowest_stage(tier: StorageTier, path: TierPath, direction: Direction, share: float) -> tuple[float, str]:
    """The lowest of promise and stages; a stage on the nodes' side gives a job the share of its own nodes."""
    local = tier.tier == "local"
    promise = tier.read_gbytes_per_s if direction == "read" else tier.write_gbytes_per_s
    limits = [(float(promise) * (share if local else 1.0), "promise")]
    for part in path.parts:
        mine = part.part.startswith("node-") or local
        limits.append((part.of(direction) * (share if mine else 1.0), part.part))
    return min(limits, key=lambda limit: limit[0])


def _part(part: Stage, at: str, gbytes: float) -> PathPart:
    return PathPart(part=part, at=at, read_gbytes_per_s=gbytes, write_gbytes_per_s=gbytes)


def _equal_rates(gbps: float) -> Rates:
    return Rates(read_gbytes_per_s=gbps / BITS, write_gbytes_per_s=gbps / BITS)


def _local(design: Design) -> TierPath:
    """Drives of the pools' nodes."""
    pools = {}
    for pool in design.site.pools:
        server = design.servers.get(pool.server)
        drives = server.local_storage if server else None
        if drives:
            pools[pool.name] = PoolPath(nodes=pool.count, node=drive_rates(drives))
    part = PathPart(
        part="local-drives",
        at=f"{sum(pool.nodes for pool in pools.values())} nodes",
        read_gbytes_per_s=sum(pool.nodes * pool.node.read_gbytes_per_s for pool in pools.values()),
        write_gbytes_per_s=sum(pool.nodes * pool.node.write_gbytes_per_s for pool in pools.values()),
    )
    return TierPath(fabric=None, assumed=False, parts=[part], pools=pools)


def _servers(design: Design, tier: StorageTier) -> list[PathPart]:
    server = design.servers.get(tier.servers.server) if tier.servers else None
    if tier.servers is None or server is None or server.storage is None:
        return []
    count, each = tier.servers.count, server.storage
    read, write = count * each.read_gbytes_per_s, count * each.write_gbytes_per_s
    at = f"{count} x {server.sku}"
    return [PathPart(part="servers", at=at, read_gbytes_per_s=read, write_gbytes_per_s=write)]


def _hosts(design: Design, fabric: Fabric, tier: StorageTier) -> pl.DataFrame:
    """One row per link from a node or a server of `tier` to a leaf: device, pool, leaf, nodes, servers (Gb/s)."""
    links = design.cables.filter((pl.col("fabric") == fabric.name) & (pl.col("kind") == "node_leaf"))
    machines = design.devices.filter(pl.col("kind") == "server").select("device", "role", "pool")
    tier_servers = (pl.col("role") == "storage") & (pl.col("pool") == tier.name)
    return (
        links.select(
            pl.col("a_device").alias("device"), pl.col("b_device").alias("leaf"), pl.col("gbps").cast(pl.Int64)
        )
        .join(machines, on="device", how="inner", maintain_order="left")
        .with_columns(
            pl.when(pl.col("role") == "accelerator").then("gbps").otherwise(0).alias("nodes"),
            pl.when(tier_servers).then("gbps").otherwise(0).alias("servers"),
        )
    )


def _by_pool(hosts: pl.DataFrame) -> pl.DataFrame:
    nodes = hosts.filter(pl.col("nodes") > 0)
    return nodes.group_by("pool", maintain_order=True).agg(
        pl.col("device").n_unique().alias("nodes"), pl.col("gbps").sum()
    )


def _leaves(design: Design, fabric: Fabric, hosts: pl.DataFrame, *, assumed: bool) -> pl.DataFrame:
    """leaf, nodes, servers. Servers that the design lacks use the ports reserved for storage, else all free ones."""
    leaves = hosts.group_by("leaf", maintain_order=True).agg(pl.col("nodes").sum(), pl.col("servers").sum())
    if not assumed:
        return leaves
    leaves = pl.concat([leaves, _empty_leaves(design, fabric, leaves)])
    free = design.ports.filter((pl.col("fabric") == fabric.owner) & pl.col("cable").is_null())
    reserved = free.filter(pl.col("reserved") == "storage")
    room = reserved if reserved.height else free.filter(pl.col("reserved").is_null())
    gbps = room.group_by(pl.col("device").alias("leaf")).agg(pl.col("gbps").cast(pl.Int64).sum().alias("room"))
    hosting = leaves.join(gbps, on="leaf", how="left", maintain_order="left")
    return hosting.with_columns(pl.col("room").fill_null(0).alias("servers")).drop("room")


def _empty_leaves(design: Design, fabric: Fabric, leaves: pl.DataFrame) -> pl.DataFrame:
    """Leaves without machines yet, in the shape of `leaves`: servers may connect there."""
    mine = design.devices.filter((pl.col("fabric") == fabric.owner) & (pl.col("role") == "leaf"))
    idle = mine.select(pl.col("device").alias("leaf")).join(leaves, on="leaf", how="anti", maintain_order="left")
    return idle.with_columns(pl.lit(0, dtype=pl.Int64).alias(column) for column in ("nodes", "servers"))


def _ports(tier: StorageTier, leaves: pl.DataFrame, *, assumed: bool) -> list[PathPart]:
    count = tier.servers.count if tier.servers else 0
    at = f"free ports of {leaves.height} leaves" if assumed else f"{count} servers"
    return [_part("server-ports", at, float(leaves["servers"].sum()) / BITS)]


def _uplinks(design: Design, fabric: Fabric, leaves: pl.DataFrame) -> list[PathPart]:
    mine = (pl.col("fabric") == fabric.owner) & ~pl.col("kind").is_in(NO_SWITCH_LINKS)
    if not leaves["servers"].sum():
        return []  # the lack of server ports is reported elsewhere; uplinks do not matter then
    links = design.cables.filter(mine).select(
        pl.col("a_device").alias("near"), pl.col("b_device").alias("far"), "kind", pl.col("gbps").cast(pl.Int64)
    )
    groups = uplinks.grouped(leaves, links)
    stages: tuple[tuple[Stage, str, str], ...] = (
        ("server-uplinks", "servers", "nodes"),
        ("node-uplinks", "nodes", "servers"),
    )
    parts = []
    for stage, size, peer_size in stages:
        sides = [side for group in groups if (side := uplinks.limit(group, size, peer_size))]
        if sides:
            worst = min(sides, key=lambda side: side.gbps)
            parts.append(_part(stage, worst.at, worst.gbps / BITS))
    return parts
