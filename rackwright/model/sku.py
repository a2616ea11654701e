"""IT hardware that can be bought: one record per part number, read from ``rackwright/catalog/<kind>/<sku>.yaml``.

Every number has its unit in its name and a source; bandwidths are per direction. Parts of the building: ``plant.py``; all: ``parts.py``.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rackwright.model.accelerator import Accelerator as Accelerator
from rackwright.model.accelerator import Throughput as Throughput
from rackwright.model.base import Record
from rackwright.model.sourced import Conflict as Conflict
from rackwright.model.sourced import Sku as Sku
from rackwright.model.sourced import Source as Source
from rackwright.model.sourced import Support as Support

Airflow = Literal["front-to-rear", "rear-to-front", "none"]
"""Seen from the front of the rack, which faces the cold aisle; none: moves no air of its own."""


SLINGSHOT = "Slingshot"
"""Adapters of HPE (Cassini): Ethernet to the kernel, no RDMA device, and read by tools of their own (`cxi_stat`)."""


class ServerPort(Record):
    """A set of equal network ports of a server."""

    role: Literal["compute", "storage", "inband", "bmc"]
    """The fabric role these ports serve."""
    count: int
    gbps: int
    names: list[str]
    """Operating-system device name of each port, in rail order (``mlx5_0``)."""
    adapter: str
    """SKU or model of the adapter."""
    rates: list[int] = []
    """Lower rates in Gb/s that a whole port also runs at, towards an older switch."""
    per_rail: int = 1
    """Ports of one rail, next to each other in `names` (2 for a two-port adapter per accelerator)."""
    per_cage: int = 1
    """Ports that share one cage and so one transceiver (2 for the twin-port cages of DGX H100)."""


class Psus(Record):
    """Power supplies of a chassis."""

    count: int
    watts_each: int
    needed: int
    """How many must run to carry the peak load (4 of 6 for DGX H100)."""


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
    accelerator: str | None = None
    accelerators: int = 0
    cpu_sockets: int
    cores_per_socket: int
    memory_gib: int
    ports: list[ServerPort]
    local_storage: LocalStorage | None = None
    storage: StoragePromise | None = None
    gpudirect_storage: bool = False
    """True when the platform can read storage into accelerator memory without a copy through the host."""
    nvswitches: int = 0
    fabric_manager: bool = False
    """True when NVSwitches of this platform need nvidia-fabricmanager on the node."""
    ansible_groups: list[str] = []
    """Roles that nodes of this server have whatever their hardware and scheduler say; empty for an appliance that is not onboarded."""

    def has_adapter(self, family: str) -> bool:
        """Whether one of its ports is on an adapter whose name begins with `family`."""
        return any(group.adapter.startswith(family) for group in self.ports)


class PortGroup(Record):
    """A run of equal switch ports."""

    count: int
    gbps: int
    per_cage: int = 1
    """Ports that share one cage and so one transceiver."""
    breakouts: list[int] = [1]
    """Ways to split one port: 2 turns 800 Gb/s into 2 x 400 Gb/s."""
    rates: list[int] = []
    """Lower rates in Gb/s that a port, or a lane of a split one, also runs at towards a slower end."""
    form: str = ""
    """Cage (``OSFP``, ``QSFP-DD``, ``QSFP28``, ``RJ45``); empty where any cable of the rate will do."""


class Switch(Sku):
    """A switch; ``ports`` counts logical ports at link speed (a twin-port OSFP cage is two)."""

    kind: Literal["switch"]
    transport: Literal["infiniband", "ethernet", "nvlink"]
    """What the hardware speaks; an Ethernet switch serves RoCE and plain Ethernet."""
    rack_units: int
    weight_kg: float
    depth_mm: int = 0
    peak_watts: int
    typical_watts: int | None = None
    psus: Psus
    """Count 0: fed by the busbar of its rack, from power shelves."""
    airflow_cfm: int = 0
    liquid: LiquidNeed | None = None
    ports: PortGroup
    uplinks: PortGroup | None = None
    """Ports that only lead upwards: uplinks of a management switch, fabric ports of a scheduled leaf."""
    fabric_element: bool = False
    """True when it only passes cells of a scheduled fabric on: it stands above scheduled leaves and takes no hosts."""
    chips: int = 1
    """Switching chips of an NVLink tray, each with an equal run of the ports and no way to the others."""
    port_name: str = "{number}"
    """Name that the switch itself gives to port `number` (``swp{number}``)."""
    split_port_name: str = ""
    """Name of lane `lane` (from 0) of a split port (``swp{number}s{lane}``)."""
    management_port: str = ""
    """Name of its own 1 Gb/s management port, empty when it has none."""
    airflow: Airflow = "front-to-rear"


class Cable(Sku):
    """A cable or a pair of optics with fibre, usable up to ``max_meters``."""

    kind: Literal["cable"]
    medium: Literal["copper", "active-copper", "aoc", "multimode", "single-mode", "cat6"]
    gbps: int
    """Rate of one link."""
    links: int = 1
    """Links in one cable: 2 between two twin-port cages."""
    max_meters: float
    lengths_meters: list[float]
    """Standard lengths that can be ordered."""
    optic: str | None = None
    """SKU of the transceiver at each end, where the cable is fibre between two."""
    watts_per_end: float | None = None
    """Draw of each end, transceiver included; a link's share where links share a transceiver."""
    transport: list[Literal["infiniband", "ethernet", "nvlink"]] = []
    """What it may carry; empty: InfiniBand and Ethernet alike."""
    form: str = ""
    """Plug (``OSFP``, ``QSFP28``), as that of a switch port; empty where it fits any."""
    splits: int = 1
    """Far ends: 2 or 4 for a splitter, from one cage to as many devices."""


class Rack(Sku):
    """A rack."""

    kind: Literal["rack"]
    rack_units: int
    width_mm: int
    depth_mm: int
    weight_kg: float = 0.0
    """Of the empty rack; 0 where none is published."""
    max_weight_kg: float
    busbar_amps: int | None = None
    """A rack with a DC busbar fed by power shelves."""
    power_shelf: str | None = None
    """Power shelf SKU of a rack with a busbar."""
