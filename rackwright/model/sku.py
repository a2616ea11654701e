"""Hardware that can be bought: one record per part number, read from ``rackwright/catalog/<kind>/<sku>.yaml``.

Every number has its unit in its name and is covered by a source; bandwidths are per direction, FLOPS are dense.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rackwright.model.base import Record

Support = Literal["verified", "rehearsed", "declared"]
"""verified: run on the real part; rehearsed: run on the twin; declared: data only."""


class Source(Record):
    """Where numbers come from."""

    doc: str
    url: str = ""
    date: str
    """ISO date of the document or of the day it was read."""
    level: Literal["read", "secondary", "derived"]
    covers: list[str]
    """Glob patterns over the field paths of the record (``psus.*``, ``weight_kg``)."""


class Sku(Record):
    """What every part has."""

    sku: str
    manufacturer: str
    model: str
    support: Support = "declared"
    sources: list[Source]


class Accelerator(Sku):
    """An accelerator, vendor-neutral."""

    kind: Literal["accelerator"]
    vendor: Literal["nvidia", "amd", "huawei", "intel"]
    architecture: str
    product_name: str
    """What the management library prints for it (NVML ``nvmlDeviceGetName``)."""
    memory_gib: float
    memory_gbytes_per_s: int
    tdp_watts: int
    bf16_dense_tflops: float
    nvlink_links: int = 0
    nvlink_gbytes_per_s_per_link: float = 0
    """Per direction."""
    pcie_generation: int
    pcie_width: int
    ecc: bool = True


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


class Psus(Record):
    """Power supplies of a chassis."""

    count: int
    watts_each: int
    needed: int
    """How many must run to carry the peak load (4 of 6 for DGX H100)."""


class Server(Sku):
    """A server or appliance as it is racked."""

    kind: Literal["server"]
    rack_units: int
    weight_kg: float
    peak_watts: int
    psus: Psus
    airflow_cfm: int = 0
    accelerator: str | None = None
    accelerators: int = 0
    cpu_sockets: int
    cores_per_socket: int
    memory_gib: int
    ports: list[ServerPort]
    nvswitches: int = 0
    fabric_manager: bool = False
    """True when NVSwitches of this platform need nvidia-fabricmanager on the node."""
    ansible_groups: list[str] = []
    """Role switches that nodes of this server join (``nvidia_driver``, ``dcgm``)."""


class PortGroup(Record):
    """A run of equal switch ports."""

    count: int
    gbps: int
    per_cage: int = 1
    """Ports that share one cage and so one transceiver."""


class Switch(Sku):
    """A switch; ``ports`` counts logical ports at link speed (a twin-port OSFP cage is two)."""

    kind: Literal["switch"]
    transport: Literal["infiniband", "ethernet"]
    rack_units: int
    weight_kg: float
    peak_watts: int
    psus: Psus
    ports: PortGroup
    uplinks: PortGroup | None = None
    port_name: str = "{number}"
    """Name that the switch itself gives to port `number` (``swp{number}``)."""
    management_port: str = ""
    """Name of its own 1 Gb/s management port, empty when it has none."""
    airflow: Literal["front-to-rear", "rear-to-front"] = "front-to-rear"


class Cable(Sku):
    """A cable or a pair of optics with fibre, usable up to ``max_meters``."""

    kind: Literal["cable"]
    medium: Literal["copper", "active-copper", "aoc", "multimode", "single-mode", "cat6"]
    gbps: int
    max_meters: float
    lengths_meters: list[float]
    """Standard lengths that can be ordered."""


class Rack(Sku):
    """A rack."""

    kind: Literal["rack"]
    rack_units: int
    width_mm: int
    depth_mm: int
    max_weight_kg: float


AnySku = Annotated[Accelerator | Server | Switch | Cable | Rack, Field(discriminator="kind")]
