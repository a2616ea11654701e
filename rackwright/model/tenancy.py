"""Who may use the site, for which kinds of jobs, and the rules that share out its capacity; in words of no scheduler. Nothing is derived."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rackwright.model.base import Name, Positive, Record
from rackwright.model.texts import ClockTime, DnsLabel, Image, ModelName, Sku, Subject, TimeZone

Count = Annotated[int, Field(ge=0)]
Amount = Annotated[float, Field(gt=0)]
JobKind = Literal["training", "fine-tune", "batch-inference", "online-inference", "notebook", "pipeline"]
PlacementDomain = Literal["node", "nvlink-domain", "rack", "rail-group", "scalable-unit", "fabric", "hall"]
"""nvlink-domain: accelerators that NVLink joins, over nodes where it leaves them; rail-group: nodes that share leaves of the compute fabric;
fabric: nodes that its switches join at all."""
Day = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
DAYS: tuple[Day, ...] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class Quota(Record):
    """Accelerators of one SKU that a tenant may always use."""

    accelerator: Sku
    """Accelerator SKU, of a server of the pools or declared by the site."""
    pool: Name | None = None
    """The pool that they are in; may be empty where one pool has this accelerator."""
    lane: DnsLabel | None = None
    """The lane of the pool that they are in; outside all lanes when empty."""
    scheduler: Literal["slurm", "kubernetes"] | None = None
    """The scheduler of the nodes that they are in, where some have another than their pool (`pools.schedulers`); that of the pool when empty."""
    accelerators: Count
    """Devices, as the driver shows them and the scheduler counts them."""
    borrow: Count = 0
    """Further ones that its preemptible jobs may use while other tenants leave them idle; what is borrowed must be given back."""
    lend: Count | None = None
    """Its own that others may use while they stand idle; all of them when empty."""


class Members(Record):
    """Who belongs to a tenant, as the directory of the site calls them."""

    users: list[Subject] = []
    groups: list[Subject] = []


class Tenant(Record):
    """An organisation or team that shares the site with others."""

    name: DnsLabel
    """Name of its queue, its namespace and its account."""
    quota: list[Quota] = []
    members: Members = Members()


class LatencyTarget(Record):
    """What users of a served model may expect."""

    milliseconds: Amount
    percentile: Annotated[float, Field(gt=0, le=100)] = 99.0
    """Share of the requests that are answered in that time."""


class Retry(Record):
    """What happens to a job that ends before its work is done."""

    attempts: Count
    """Starts after the first."""
    backoff_seconds: Count = 0
    """Wait before the next start."""
    after: list[Literal["node-failure", "preemption", "job-failure"]] = ["node-failure", "preemption"]
    """Ends after which it is started again."""


class CheckpointPolicy(Record):
    """How much work a job may lose."""

    interval_minutes: Amount | None = None
    """Longest time between two checkpoints; that of its workload when empty."""
    grace_seconds: Positive = 30
    """From the notice that it must leave its accelerators to its end by force: time for a last checkpoint."""


class JobShape(Record):
    """Degrees by which a job divides its model and its data; their product is its number of accelerators."""

    tensor: Positive = 1
    """Accelerators that share each layer (TP); they stay in one NVLink domain, or in one node."""
    pipeline: Positive = 1
    """Stages of layers (PP)."""
    context: Positive = 1
    """Parts of a sequence (CP)."""
    data: Positive = 1
    """Copies of the model (DP)."""
    expert: Positive = 1
    """Groups of experts (EP), within the copies: adds no accelerators, and divides tensor x context x data."""

    @property
    def accelerators(self) -> int:
        """Of one job of this shape."""
        return self.tensor * self.pipeline * self.context * self.data

    def __str__(self) -> str:
        degrees = {"TP": self.tensor, "PP": self.pipeline, "CP": self.context, "DP": self.data, "EP": self.expert}
        return " x ".join(f"{name} {degree}" for name, degree in degrees.items() if degree > 1) or "1 accelerator"


class ServedModel(Record):
    """A model that vLLM serves, in replicas of the one shape of the class. CPUs, memory, storage of weights and accounts are values that
    the user lays over those of the export."""

    model: ModelName
    """As vLLM takes it: a name of Hugging Face, or a folder in its pods."""
    image: Image
    """Of vLLM for these accelerators, with a tag or digest."""
    replicas: Positive = 1


class JobClass(Record):
    """A class of jobs: what they need, and what they give way to."""

    name: DnsLabel
    kind: JobKind
    tenants: list[DnsLabel] = []
    """Who may submit them; every tenant when empty."""
    pools: list[Name] = []
    """Where they run; every pool with accelerators when empty."""
    workload: Name | None = None
    """The one of ``workloads`` that says what they read and write."""
    priority: Annotated[int, Field(ge=0, le=1_000_000)]
    """Higher ones go first."""
    preemptible: bool = False
    """True: a job of higher priority, or the tenant that lent them, may take its accelerators."""
    gang: bool = False
    """True: a job starts on all of its accelerators or not at all."""
    minimum: Positive = 1
    """Accelerators of the smallest job."""
    maximum: Positive | None = None
    """Accelerators of the largest job; `minimum` when empty."""
    domain: PlacementDomain | None = None
    """What a whole job must lie in; anywhere in a pool when empty."""
    shapes: list[JobShape] = []
    """Shapes that its jobs have; any number of accelerators from `minimum` to `maximum` when empty."""
    latency: LatencyTarget | None = None
    serving: ServedModel | None = None
    """The model that jobs of this class serve; they are started by something else when empty."""
    retry: Retry | None = None
    """None: a job that ends is not started again."""
    checkpoint: CheckpointPolicy | None = None
    """None: a job that ends loses its work."""

    @property
    def most(self) -> int:
        """Accelerators of the largest job."""
        return self.maximum if self.maximum is not None else self.minimum

    def sizes(self) -> list[int]:
        """Accelerators of the jobs that must be placeable: of each shape, else of the smallest and the largest job."""
        return sorted({shape.accelerators for shape in self.shapes} or {self.minimum, self.most})


class Window(Record):
    """Hours of the week; an end before the start is on the next day."""

    days: Annotated[list[Day], Field(min_length=1)] = list(DAYS)
    """Days on which it starts."""
    start: ClockTime
    end: ClockTime


class PoolLane(Record):
    """Nodes of a pool that are set aside for some classes: no other job runs there, and theirs run nowhere else in the pool."""

    name: DnsLabel
    pool: Name
    nodes: Positive
    """The first nodes of the pool that have its scheduler and that no lane before it has, so that growth moves no lane."""
    classes: Annotated[list[DnsLabel], Field(min_length=1)]


class CapacityRule(Record):
    """Bounds on what some classes use of a pool together, in accelerators."""

    name: DnsLabel
    pool: Name
    classes: Annotated[list[DnsLabel], Field(min_length=1)]
    floor: Positive | None = None
    """Kept for them, even while they stand idle."""
    ceiling: Positive | None = None
    """What they use at most."""
    window: Window | None = None
    """When it holds; always when empty."""


class Reserve(Record):
    """A share of the nodes of a pool, rounded up, that no quota gives away: room for failed nodes and maintenance. It is taken outside
    the lanes, from nodes that have the scheduler of the pool."""

    pool: Name
    share: Annotated[float, Field(gt=0, lt=1)]


class Policies(Record):
    """Rules by which capacity is shared."""

    lanes: list[PoolLane] = []
    rules: list[CapacityRule] = []
    reserved: list[Reserve] = []
    time_zone: TimeZone = "UTC"
    """Of all windows."""
