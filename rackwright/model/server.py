"""A server or appliance as it is racked, and its network ports. Bandwidths are per direction; every number has its unit in its name."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rackwright.model import texts
from rackwright.model.artifact import Architecture
from rackwright.model.base import Record
from rackwright.model.sourced import Sku
from rackwright.model.texts import DeviceName, LabelOrNothing, Line, Name, RoleName

Airflow = Literal["front-to-rear", "rear-to-front", "none"]
"""Seen from the front of the rack, which faces the cold aisle; none: moves no air of its own."""


class ServerPort(Record):
    """A set of equal network ports of a server."""

    role: Literal["compute", "storage", "inband", "bmc"]
    """The fabric role these ports serve."""
    count: int
    gbps: int
    names: list[DeviceName]
    """Operating-system device name of each port, in rail order (``mlx5_0``)."""
    adapter: Line
    """SKU or model of the adapter."""
    rates: list[int] = []
    """Lower rates in Gb/s that a whole port also runs at, towards an older switch."""
    per_rail: int = 1
    """Ports of one rail, next to each other in `names` (2 for a two-port adapter per accelerator)."""
    per_cage: int = 1
    """Ports that share one cage and so one transceiver (2 for the twin-port cages of DGX H100)."""
    form: LabelOrNothing = ""
    """Cage (``OSFP-RHS``, ``QSFP112``, ``RJ45``); empty where the adapter's own says it, or nothing is published."""
    lanes: int = 1
    """Ports that are lanes of one split port, next to each other in `names`; 1 where ports are whole."""


class Psus(Record):
    """Power supplies of a chassis."""

    count: int
    watts_each: int
    needed: int
    """How many must run to carry the peak load (4 of 6 for DGX H100)."""
    reduced: int | None = None
    """How many are enough at reduced performance, as its maker says (3 of 6 for DGX H100); `needed` when empty."""


class LiquidNeed(Record):
    """What a directly liquid-cooled part asks of the coolant loop."""

    share: Annotated[float, Field(gt=0, le=1)]
    """Share of the heat that goes into the liquid."""
    max_supply_celsius: float
    liters_per_minute: float | None = None
    """Flow stated by the vendor at the peak load; derived from heat and temperature rise when empty."""
    pressure_drop_kpa: float | None = None


class LocalStorage(Record):
    """Equal data drives of a server, for caches."""

    drives: int
    terabytes_each: float
    read_gbytes_per_s_each: float
    write_gbytes_per_s_each: float


class MemorySpeeds(Record):
    """How fast the memory of a server runs: more modules on a channel load it, and the board clocks it lower."""

    channels_per_socket: int
    mts_by_modules: Annotated[list[int], Field(min_length=1)]
    """Highest speed in million transfers per second with one module on a channel, with two, and so on."""

    def highest(self, modules: int, sockets: int) -> int:
        """The same with so many equal modules spread over all channels."""
        on_channel = -(-modules // (self.channels_per_socket * max(sockets, 1)))
        return self.mts_by_modules[min(max(on_channel, 1), len(self.mts_by_modules)) - 1]


ANY_MAKER = "Generic"
"""Manufacturer of a SKU that stands for machines of several makers."""


class ServerBmc(Record):
    """How the BMC of a server speaks."""

    dialect: Name
    """One of ``rackwright/twin/dialects``: as which the BMC of a twin speaks."""
    names: list[Line] = []
    """Manufacturer and model as the BMC reports them, where they are not those of the SKU (``NVIDIA GB200 NVL``)."""
    ports: int | None = None
    """Network ports that the BMC lists, where it does not list all."""


class StoragePromise(Record):
    """What one storage appliance delivers."""

    read_gbytes_per_s: float
    write_gbytes_per_s: float
    capacity_pbytes: float


class Server(Sku):
    """A server or appliance as it is racked."""

    kind: Literal["server"]
    rack_units: int
    weight_kg: float
    depth_mm: int = 0
    """0 where none is published."""
    airflow: Airflow = "front-to-rear"
    peak_watts: int
    typical_watts: int | None = None
    """Draw under a usual load; none where only the peak is published."""
    psus: Psus
    """Count 0: fed by the busbar of its rack, from power shelves."""
    airflow_cfm: int = 0
    max_supply_air_celsius: float | None = None
    liquid: LiquidNeed | None = None
    accelerator: texts.Sku | None = None
    accelerators: int = 0
    architecture: Architecture = "amd64"
    """Of its processors."""
    cpu_sockets: int
    cores_per_socket: int
    memory_gib: int
    memory_speeds: MemorySpeeds | None = None
    """None where no maker says: modules are then compared with each other."""
    ports: list[ServerPort]
    local_storage: LocalStorage | None = None
    storage: StoragePromise | None = None
    bmc: ServerBmc | None = None
    gpudirect_storage: bool = False
    """True when the platform can read storage into accelerator memory without a copy through the host."""
    nvswitches: int = 0
    fabric_manager: bool = False
    """True when NVSwitches of this platform need nvidia-fabricmanager on the node."""
    ansible_groups: list[RoleName] = []
    """Roles that nodes of this server have whatever their hardware and scheduler say; empty for an appliance that is not onboarded."""

    def has_adapter(self, family: str) -> bool:
        """Whether one of its ports is on an adapter whose name begins with `family`."""
        return any(group.adapter.startswith(family) for group in self.ports)
