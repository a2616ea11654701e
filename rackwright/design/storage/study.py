"""The records of the storage study: what ``studies["storage"]`` holds, one `TierStudy` per tier, by its name.

Rates are GB/s (10**9 bytes).
"""

from __future__ import annotations

from typing import Literal

from rackwright.model.base import Record
from rackwright.model.design import Design

Direction = Literal["read", "write"]
Stage = Literal["servers", "server-ports", "server-uplinks", "node-uplinks", "node-ports", "local-drives"]


class Rates(Record):
    """A pair of rates."""

    read_gbytes_per_s: float
    write_gbytes_per_s: float

    def of(self, direction: Direction) -> float:
        """The rate of one direction."""
        return self.read_gbytes_per_s if direction == "read" else self.write_gbytes_per_s


class PathPart(Rates):
    """One stage between accelerators and data, and what all of it carries."""

    part: Stage
    at: str
    """The object that limits it, or a count of equal ones."""


class PoolPath(Record):
    """How the nodes of one pool reach the tier."""

    nodes: int
    node: Rates
    """Ports on the tier's fabric, or local drives, of one node."""


class TierPath(Record):
    """The path from the nodes to the tier; only stages that limit the rate are listed."""

    fabric: str | None
    """None for a local tier and for one that no fabric leads to."""
    assumed: bool
    """True when the tier has no servers in the design: it is then assumed to fill the free ports of the leaves evenly."""
    parts: list[PathPart]
    pools: dict[str, PoolPath]


class Made(Rates):
    """Rates and capacity that the parts of a tier deliver together."""

    count: int
    capacity_pbytes: float


class ServerStudy(Made):
    """The servers of a tier."""

    sku: str


class CheckpointDemand(Record):
    """One job's checkpoint on a tier. Times of a tier that cannot be reached are null."""

    gbytes: float
    kept_gbytes: float
    """Of all jobs."""
    allowed_seconds: float | None
    interval_minutes: float | None
    write_gbytes_per_s: float | None
    """Rate that keeps the stall within what is allowed."""
    seconds: float | None
    """Stall when one job writes alone."""
    seconds_together: float | None
    """Stall when all jobs of the class write at once."""
    limited_by: str | None
    """Stage of the path that sets `seconds`, or ``promise``."""
    restart_seconds: float | None
    """Time that reading it back takes."""
    restart_read_gbytes_per_s: float
    """Rate that has it read back within the site's restart time."""


class WorkloadDemand(Record):
    """The demand of one class of jobs on a tier. `jobs` run at once, each on `nodes` nodes."""

    workload: str
    pool: str
    jobs: int
    nodes: int
    accelerators: int
    """Of one job."""
    read_gbytes_per_s: float
    """Of one job whose accelerators never wait."""
    least_read_gbytes_per_s: float
    """Of one job whose accelerators wait as much as its profile allows."""
    other_accelerator: str | None
    """Accelerator that the loader's profile was measured on, when the pool has another one."""
    dataset_gbytes: float
    checkpoint: CheckpointDemand | None


class TierDemand(Rates):
    """The demand of all classes of jobs together; jobs of different classes share the nodes of a pool."""

    least_read_gbytes_per_s: float
    """Below this, accelerators wait longer than their profiles allow."""
    restart_read_gbytes_per_s: float
    """Highest read rate while one job reads its checkpoint back and all others load."""
    together_write_gbytes_per_s: float
    """Write rate if the checkpoints of all jobs fall together."""
    capacity_pbytes: float


class CacheStudy(Record):
    """The local drives of a job's nodes as a cache of its dataset."""

    workload: str
    node_gbytes: float
    dataset_gbytes: float
    share_on_each_node: float
    """Share of the dataset that one node holds."""
    share_on_all_nodes: float
    """Share that the job's nodes hold together."""
    layout: Literal["each-node-all", "shared-out", "too-small"]
    read_gbytes_per_s: float
    """Of the drives of all nodes of the job."""
    wanted_gbytes_per_s: float
    source: str | None
    """Tier that it is filled from."""
    fill_gbytes: float
    fill_seconds: float | None
    fill_limited_by: str | None
    epoch_seconds: float
    """First epoch of accelerators that never wait: the time in which a cache that is filled on the way must be full."""
    fill_gbytes_per_s: float
    """Rate that fills it within that time."""
    lead_seconds: float | None
    """Seconds before the job at which the prefetch must start, so that the first epoch does not wait."""


class GuidelineStudy(Record):
    """The level of the vendor's guideline that a tier reaches; null below the lowest."""

    design: str
    scalable_units: int
    level: str | None
    node_level: str | None
    """Level of what one node reaches alone."""
    node: Rates


class TierStudy(Record):
    """Everything about one tier."""

    tier: str
    kind: str
    promise: Rates
    capacity_pbytes: float
    servers: ServerStudy | None
    drives: Made | None
    """Of a local tier: the drives of `count` nodes."""
    path: TierPath
    bottleneck_read: str
    """Stage with the lowest read rate, ``promise`` when that is lowest."""
    bottleneck_write: str
    demand: TierDemand
    workloads: list[WorkloadDemand]
    caches: list[CacheStudy]
    guideline: GuidelineStudy | None
    gpudirect_problems: list[str] | None
    """Why accelerators cannot read it directly; null when the site does not require it."""


def tiers(design: Design) -> list[TierStudy]:
    """The studies that `design` carries, in the order of the site."""
    return [TierStudy.model_validate(data) for data in design.studies.get("storage", {}).values()]
