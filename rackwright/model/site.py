"""What is asked: the site as its owner declares it in ``site.yaml``. Nothing in here is derived."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rackwright.model.base import Record

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,30}$")]
Cidr = Annotated[str, Field(pattern=r"^\d+\.\d+\.\d+\.\d+/\d+$")]
Positive = Annotated[int, Field(gt=0)]


class Hall(Record):
    """A room with rows of racks."""

    name: Name
    rows: Positive
    racks_per_row: Positive
    supply_air_celsius: float = 24.0
    floor_load_kg_per_rack: Positive = 1500
    rack: str = "rack-48u-1200"
    """SKU of the racks in this hall."""


class Circuit(Record):
    """One rack circuit. Usable kW = sqrt(phases) * volts * amps * derating * power_factor / 1000 (three-phase)."""

    volts: Positive
    amps: Positive
    phases: Literal[1, 3]
    derating: Annotated[float, Field(gt=0, le=1)] = 0.8
    power_factor: Annotated[float, Field(gt=0, le=1)] = 0.95


class Survive(Record):
    """How many losses must be survived."""

    feeds: Annotated[int, Field(ge=0)] = 1


class Power(Record):
    """Feeds into the halls, and the circuit each feed gives to each rack."""

    feeds: Annotated[list[str], Field(min_length=1)]
    feed_kw: Positive
    survive: Survive = Survive()
    circuit: Circuit


class RackPlace(Record):
    """A rack put on a given place instead of the next free one."""

    rack: Name
    hall: Name
    row: Positive
    position: Positive


class Facility(Record):
    """Halls and power."""

    halls: Annotated[list[Hall], Field(min_length=1)]
    power: Power
    racks: list[RackPlace] = []
    """Places of racks that must stand where they are told; all others fill rows in order."""


class Pool(Record):
    """Equal servers that serve one purpose."""

    name: Name
    server: str
    """Server SKU."""
    count: Positive
    servers_per_rack: Positive
    scheduler: Literal["slurm", "kubernetes", "none"]
    scalable_unit: Positive = 32
    """Nodes per scalable unit; switches are sized for the whole unit."""


class Fabric(Record):
    """One network and the switches it is made of."""

    name: Name
    role: Literal["compute", "storage", "inband", "bmc"]
    """Which server ports it connects."""
    transport: Literal["infiniband", "ethernet"]
    topology: Literal["rail-optimized", "fat-tree", "leaf-spine", "management"]
    pools: list[Name] = []
    """Pools connected; empty means every pool and the control servers."""
    switch: str
    oversubscription: Annotated[float, Field(ge=1)] = 1.0
    subnet: Cidr | None = None
    """IPv4 network of the hosts on it; none for a fabric without IP addresses."""


class StorageTier(Record):
    """A storage tier and what it must deliver."""

    name: Name
    tier: Literal["local", "parallel", "object", "home"]
    read_gbytes_per_s: Positive
    write_gbytes_per_s: Positive
    capacity_pbytes: Annotated[float, Field(gt=0)]


class ControlServers(Record):
    """A set of control servers."""

    server: str
    count: Positive


class Slurm(Record):
    """The Slurm control plane."""

    controllers: ControlServers
    partition: Name = "train"


class Ufm(Record):
    """Subnet managers of the InfiniBand fabrics (UFM appliances)."""

    servers: ControlServers


class Ssh(Record):
    """How hosts are reached. The key itself never stands in the site file."""

    user: str = "root"
    identity_file: str = "~/.ssh/id_ed25519"
    known_hosts_file: str = "~/.ssh/known_hosts"


class Bmc(Record):
    """How BMCs are reached: the names of environment variables that hold the account, never the account itself."""

    user_env: str = "RACKWRIGHT_BMC_USER"
    password_env: str = "RACKWRIGHT_BMC_PASSWORD"
    ca_file: str | None = None
    """CA that signed the BMC certificates; the system's own when empty."""


class Control(Record):
    """Control planes and the way to reach machines."""

    slurm: Slurm | None = None
    ufm: Ufm | None = None
    ssh: Ssh = Ssh()
    bmc: Bmc = Bmc()
    ntp_servers: Annotated[list[str], Field(min_length=1)]


class Software(Record):
    """The software bill of accelerator nodes: exact versions, checked against the compatibility rules."""

    apt_mirror: str
    """Base URL of the package mirror that nodes install from."""
    driver: str
    fabric_manager: str
    cuda: str
    nccl: str
    dcgm: str
    container_toolkit: str


class Acceptance(Record):
    """What must be true before a node may join."""

    gates: Name = "handover"
    waivers: str | None = None
    """File with waivers, relative to the site file."""


class Site(Record):
    """The whole declaration."""

    apiVersion: Literal["rackwright/v1"]
    site: Name
    region: Name
    facility: Facility
    pools: Annotated[list[Pool], Field(min_length=1)]
    fabrics: Annotated[list[Fabric], Field(min_length=1)]
    storage: list[StorageTier] = []
    control: Control
    software: Software
    acceptance: Acceptance = Acceptance()
    catalog: list[dict[str, object]] = []
    """Parts that the built-in catalog lacks, in the schema of ``model/sku.py``."""
