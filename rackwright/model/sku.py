"""IT hardware that can be bought: one record per part number, read from ``rackwright/catalog/<kind>/<sku>.yaml``.

Every number has its unit in its name and a source; bandwidths are per direction. Parts of the building: ``plant.py``; all: ``parts.py``.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rackwright.model import texts
from rackwright.model.accelerator import Accelerator as Accelerator
from rackwright.model.accelerator import Throughput as Throughput
from rackwright.model.base import Record
from rackwright.model.server import Airflow as Airflow
from rackwright.model.server import LiquidNeed as LiquidNeed
from rackwright.model.server import LocalStorage as LocalStorage
from rackwright.model.server import Psus as Psus
from rackwright.model.server import Server as Server
from rackwright.model.server import ServerPort as ServerPort
from rackwright.model.server import StoragePromise as StoragePromise
from rackwright.model.sourced import Conflict as Conflict
from rackwright.model.sourced import Sku as Sku
from rackwright.model.sourced import Source as Source
from rackwright.model.sourced import Support as Support
from rackwright.model.texts import BreakoutMode, DeviceNameOrNothing, LabelOrNothing, PortName, SystemPortName

NVIDIA_ADAPTERS = ("ConnectX", "BlueField")
"""Beginnings of the names of NVIDIA's adapters, which its tools read (`mlxlink`, `mstflint`)."""
SLINGSHOT = "Slingshot"
"""Adapters of HPE (Cassini): Ethernet to the kernel, no RDMA device, and read by tools of their own (`cxi_stat`)."""


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
    form: LabelOrNothing = ""
    """Cage (``OSFP``, ``QSFP-DD``, ``QSFP28``, ``RJ45``); empty where any cable of the rate will do."""
    cage_watts: float | None = None
    """Most that the plug of one cage may draw; none where nothing is published."""


SwitchSystemName = Literal["cumulus", "sonic", "eos", "nxos", "mlnxos", "nvos"]


class SwitchSystem(Record):
    """A network operating system that a switch runs, and what the system calls its ports."""

    name: SwitchSystemName
    platform: LabelOrNothing = ""
    """Folder of the hardware in the system's own sources (SONiC); family of its chip (NX-OS, NVOS)."""
    hardware_sku: LabelOrNothing = ""
    """Port profile that the system starts from (SONiC)."""
    port_name: SystemPortName = ""
    """Name of the port whose first lane is number `lane` (from 1) of port `number` (from 1), and `serial` (from 0) of the switch; the port is
    number `place` of cage `cage` (both from 1). Empty: as in the design."""
    split_port_name: SystemPortName = ""
    """Name of one part of a split port, where it has another form."""
    lanes: int = 0
    """Lanes of a whole port, by which those names count; 0 where they do not."""
    lane_stride: int = 0
    """Lanes of the chip from one port to the next, where that is more than `lanes`."""
    breakouts: dict[int, BreakoutMode] = {}
    """How the system writes a split, by the number of ports that it gives; empty: its templates write it from numbers alone."""


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
    port_name: PortName = "{number}"
    """Name that the switch itself gives to port `number` (``swp{number}``)."""
    split_port_name: PortName = ""
    """Name of lane `lane` (from 0) of a split port (``swp{number}s{lane}``); `first` counts the lanes of the cage, from 1 (``Ethernet{number}/{first}``)."""
    management_port: DeviceNameOrNothing = ""
    """Name of its own 1 Gb/s management port, empty when it has none."""
    airflow: Airflow = "front-to-rear"
    systems: list[SwitchSystem] = []
    """Network operating systems that it runs; the first is meant where a fabric names none."""

    def lane_name(self, number: int, lane: int, ways: int) -> str:
        """Name of lane `lane` (from 0) of port `number` (from 1), which is split into `ways`; of the port itself where that is 1."""
        port = self.port_name.format(number=number)
        if ways == 1:
            return port
        if not self.split_port_name:
            return f"{port}/{lane + 1}"
        cage_lanes = max((system.lanes for system in self.systems), default=0) or ways
        return self.split_port_name.format(number=number, lane=lane, first=lane * (cage_lanes // ways) + 1)

    @property
    def counts_cage_lanes(self) -> bool:
        """True where a name alone does not say into how many a port is split: the first of two lanes is called as the first of four."""
        return "{first}" in self.split_port_name


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
    diameter_mm: Annotated[float, Field(gt=0)] | None = None
    """Of its jacket, of each link's where links have cables of their own; none where nothing is published."""
    bend_radius_mm: Annotated[float, Field(gt=0)] | None = None
    """The tightest bend in which it may stay."""
    optic: texts.Sku | None = None
    """SKU of the transceiver at each end, where the cable is fibre between two; `node_optic` is another at the end nearer to the node."""
    node_optic: texts.Sku | None = None
    watts_per_end: float | None = None
    """Draw of each end, transceiver included; a link's share where links share a transceiver."""
    transport: list[Literal["infiniband", "ethernet", "nvlink"]] = []
    """What it may carry; empty: InfiniBand and Ethernet alike."""
    form: LabelOrNothing = ""
    """Plug (``OSFP``, ``QSFP28``), as that of a switch port; empty where it fits any."""
    node_form: LabelOrNothing = ""
    """Plug of the end nearer to the node, of a splitter of every such end; `form` when empty."""
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
    power_shelf: texts.Sku | None = None
    """Power shelf SKU of a rack with a busbar."""
    power_shelves: int | None = None
    """Shelves that it has at most; open when empty."""
    max_kw: float | None = None
    """Most that everything in it may draw, as its maker says; open when empty."""
    max_kg_per_unit: float | None = None
    """Most that one rack unit, with its rails and cage nuts, bears; open when empty."""
