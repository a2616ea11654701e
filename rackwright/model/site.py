"""The site as its owner declares it in ``site.yaml``. Nothing in here is derived."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Any, Literal

from pydantic import Field

from rackwright.model.acceptance_status import SubjectKind
from rackwright.model.base import Name, Positive, Record
from rackwright.model.bring_up import BringUp
from rackwright.model.calibration import Calibration
from rackwright.model.control import Control
from rackwright.model.device import UnmanagedDevices
from rackwright.model.economics import Deployment, Economics, Operations
from rackwright.model.environment import Environment
from rackwright.model.existing import Existing
from rackwright.model.fabric import Fabric
from rackwright.model.facility import Facility
from rackwright.model.firmware import FirmwareImage, FirmwareUpdates
from rackwright.model.hostlist import expand
from rackwright.model.install import Install
from rackwright.model.resource import WipePolicy
from rackwright.model.slices import Slices
from rackwright.model.software import Software as Software
from rackwright.model.tenancy import JobClass, Policies, Tenant
from rackwright.model.texts import (
    AddressOrNothing,
    Day,
    KeyFingerprint,
    Line,
    PoolHost,
    PoolHosts,
    Program,
    SiteFolder,
    SitePath,
    Sku,
    Url,
    Variable,
)
from rackwright.model.workload import StorageTier, Workload

Scheduler = Literal["slurm", "kubernetes"]


class RunningHost(Record):
    """A node that has a name and perhaps an address already."""

    name: PoolHost
    """Host name, without domain (RFC 1123)."""
    address: AddressOrNothing = ""
    """In-band address; the one that the design gives when empty."""


class Pool(Record):
    """Equal servers that serve one purpose."""

    name: Name
    server: Sku
    """Server SKU."""
    count: Positive
    servers_per_rack: Positive
    scheduler: Literal["slurm", "kubernetes", "none"]
    scalable_unit: Positive = 32
    """Nodes per scalable unit; switches are sized for the whole unit."""
    rack: Sku | None = None
    """SKU of its racks; those of the hall when empty."""
    hall: Name | None = None
    """Hall of its racks and those of its switches; empty: the first with room for a whole scalable unit."""
    row: Positive | None = None
    """Row of `hall` for all of them."""
    schedulers: dict[Scheduler, Annotated[list[PoolHosts], Field(min_length=1)]] = {}
    """Nodes that have another scheduler than `scheduler`, by that scheduler: their names, or ranges of them (``train-[003-004]``)."""
    partition: Name | None = None
    """Slurm partition of its nodes; called as the pool when empty."""
    bios: dict[Line, bool | int | Line] = {}
    """BIOS attributes of its nodes, as the attribute registry of their BMCs names them; all others stay as they are."""
    secure_boot: bool | None = None
    """Whether UEFI Secure Boot is on; left out: as each machine has it."""
    power_cap_watts: Positive | None = None
    """Watts that the BMC of each node lets it draw, below its peak; left out: as it is."""
    wipe: WipePolicy = "none"
    """How the BMC of each node erases all its drives when `rackwright up --wipe` asks for it; nothing else ever does."""
    firmware: dict[Line, Line] = {}
    """Version of firmware by component, as the firmware inventory of their BMCs names it; what is not named may have any."""
    firmware_images: list[FirmwareImage] = []
    """Images that bring components of `firmware` to their versions (`rackwright up --firmware`), in the order in which a BMC gets them."""
    hosts: list[RunningHost] = []
    """Names and in-band addresses of nodes that run already, one entry per node, in their order; the design names and numbers the nodes when empty."""

    @property
    def slurm_partition(self) -> str:
        """Name of the partition that Slurm has its nodes in, besides the default one."""
        return self.partition or self.name

    def node_name(self, index: int) -> str:
        """``train-001``: node `index`, from 1. It depends on the number alone, so that growth renames nothing."""
        return self.hosts[index - 1].name if index <= len(self.hosts) else f"{self.name}-{index:03d}"

    def moved(self) -> Iterator[tuple[str, Scheduler]]:
        """(node, scheduler) of every node that `schedulers` lists; of a range at most one name more than the pool has nodes."""
        for scheduler, lists in self.schedulers.items():
            for names in lists:
                yield from ((name, scheduler) for name in islice(expand(names), self.count + 1))

    def part_name(self, scheduler: str) -> str:
        """Name of the nodes of the pool that have `scheduler`, where the pool has several: ``train-kubernetes``."""
        return f"{self.name}-{scheduler}"

    def nodes_by_scheduler(self) -> dict[str, int]:
        """Scheduler -> number of its nodes, the scheduler of the pool first; schedulers without a node are left out."""
        moved = dict(self.moved())
        names = (self.node_name(index) for index in range(1, self.count + 1))
        counts = (
            Counter[str](moved.get(name, self.scheduler) for name in names) if moved else {self.scheduler: self.count}
        )
        order = (self.scheduler, *self.schedulers)
        return {scheduler: counts[scheduler] for scheduler in order if counts.get(scheduler)}


class Approver(Record):
    """A person who may accept a known defect."""

    name: Line
    """As ``waive --by`` has it."""
    contact: Line | None = None
    """How to reach them."""
    key: KeyFingerprint | None = None
    """Of their signing key: waivers in their name count only with its signature (`waive --key`)."""


class AcceptancePolicy(Record):
    """How strict the gates are with age and waivers; empty: as ``validators/gates.yaml`` says, which also bounds what may be widened."""

    evidence_hours: dict[Name, Annotated[float, Field(gt=0)]] = {}
    """By gate: how old evidence may be by the clock when the gate decides. It holds for the gates that follow, too."""
    waiver_days: Annotated[int, Field(ge=1)] | None = None
    """Days for which one waiver may hold."""
    waiver_approvals: Annotated[int, Field(ge=1)] = 1
    """Persons who must have agreed to a waiver before it counts, the one who granted it included."""


class Webhook(Record):
    """Whom `rackwright serve` calls when something is held or released."""

    name: Name
    url: Url
    """Where messages are sent, and nowhere else: https, or http on this machine."""
    secret_env: Variable
    """Name of the environment variable that holds the key of the signatures, never the key itself."""
    kinds: list[SubjectKind] = []
    """Kinds of subjects whose changes are sent; all of them when empty."""


class Acceptance(Record):
    """Requirements that a node must meet before it may join."""

    gates: Name = "handover"
    waivers: SitePath | None = None
    """File with waivers, relative to the site file."""
    approvers: list[Approver] = []
    """Persons who may waive. Without any, whoever writes the file may; a handover that rests on such a waiver is not signed."""
    policy: AcceptancePolicy = AcceptancePolicy()
    evidence_hours: Annotated[float, Field(gt=0)] | None = None
    """How old a reading may be to be judged; empty: ``policy.evidence_hours`` of the limits."""
    isolation_hours: Annotated[float, Field(gt=0)] | None = None
    """How old the isolation that cleared an accelerator node may be; empty: none is required, and a node that one blames stays out all the same."""
    event_log_since: Day | None = None
    """Entries that a BMC logged before this day are history: the day of the delivery, or of the last acceptance. Empty: all entries count."""
    webhooks: list[Webhook] = []
    """Whom to call when something is held or released."""
    server: Url | None = None
    """Where `rackwright serve` answers for this site; the queues of tenants in Kubernetes wait there until their pools are released."""
    calibrations: list[Calibration] = []
    """Servers for which nobody has published every limit."""
    torch_python: Program = "python3"
    """The Python with PyTorch on accelerator nodes, of a virtual environment (``/opt/torch/bin/python``) or a script that starts one in a container which sees ``/tmp``; only the tests ``finetune_smoke`` and ``serving_smoke`` need it."""


class Site(Record):
    """The whole declaration."""

    apiVersion: Literal["rackwright/v1"]
    site: Name
    region: Name
    include: Annotated[list[SitePath], Field(exclude=True)] = []
    """Parts of this site: files in its folder with more of its fields. Mappings are joined key by key, lists of entries one behind the other; what two parts declare is refused. Parts may include others; paths start at the folder of the site file."""
    defaults: Annotated[dict[str, Any], Field(exclude=True)] = {}
    """By field of the site: the keys that its section, or each entry of its list, has where it does not say them itself (``pools: {rack_sku: ...}``)."""
    facility: Facility
    existing: Existing = Existing()
    """What stands already: `rackwright export --to existing` writes it, to be included when the site grows."""
    pools: Annotated[list[Pool], Field(min_length=1)]
    fabrics: Annotated[list[Fabric], Field(min_length=1)]
    storage: list[StorageTier] = []
    slices: list[Slices] = []
    """TPUs that the site rents: designed and exported, and neither brought up nor judged here."""
    unmanaged: list[UnmanagedDevices] = []
    """Devices in the racks that nobody can set up or judge: pools of memory behind CXL, fabrics without a published driver."""
    workloads: list[Workload] = []
    tenants: list[Tenant] = []
    classes: list[JobClass] = []
    policies: Policies = Policies()
    environments: list[Environment] = []
    """What differs where this site is built a second time, to try changes."""
    control: Control
    software: Software
    firmware_updates: FirmwareUpdates = FirmwareUpdates()
    bring_up: BringUp = BringUp()
    install: Install | None = None
    """How machines get their system; empty: somebody else installs them."""
    acceptance: Acceptance = Acceptance()
    economics: Economics = Economics()
    operations: Operations = Operations()
    deployment: Deployment = Deployment()
    site_folder: SiteFolder | None = None
    """Folder beside the site file with what the site itself brings: checks, collectors, limits, gates, parts, roles (see the page Site folder)."""
    catalog: list[dict[str, object]] = []
    """Parts that the built-in catalog lacks, in the schema of ``model/sku.py``."""

    def pools_of(self, scheduler: str) -> list[Pool]:
        """Pools of which any node has `scheduler`."""
        return [pool for pool in self.pools if scheduler in pool.nodes_by_scheduler()]

    @property
    def queued(self) -> bool:
        """Whether Kueue shares out nodes of Kubernetes: unless the site switches it off."""
        declared = self.control.kubernetes.addons.get("kueue") if self.control.kubernetes else None
        return declared is None or declared.enabled

    @property
    def default_partition(self) -> str:
        """The Slurm partition of jobs that name none; every node that Slurm schedules is in it."""
        slurm_pools = self.pools_of("slurm")
        declared = self.control.slurm.partition if self.control.slurm else None
        return declared or (slurm_pools[0].slurm_partition if len(slurm_pools) == 1 else "all")

    def partitions(self) -> dict[str, list[str]]:
        """Slurm partition -> its pools, the default partition first."""
        pools = {pool.slurm_partition: [pool.name] for pool in self.pools_of("slurm")}
        first = {self.default_partition: [name for names in pools.values() for name in names]}
        return first | {name: names for name, names in pools.items() if name not in first}

    def own_suite(self, pool: str) -> str:
        """Suite of the mirror that has the packages of `pool` alone; empty where the mirror has one system (`rackwright mirror sync`)."""
        systems = {self.software.bill(name).base for name in ("", *(pool.name for pool in self.pools))}
        return self.software.bill(pool).base if len(systems) > 1 else ""
