"""The current state of the simulated hardware: built from a design, changed by faults, read by the twin's servers.

It is immutable; a fault is a pure function from one to another. All outputs of the twin are rendered from it: a fault shows wherever it would.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from rackwright.model.design import Design, Node
from rackwright.twin.hardware import ids
from rackwright.twin.hardware.parts import bios, chassis, gpu, link, performance, plant, rdma, switch, system, updates
from rackwright.twin.hardware.parts.account import AccountState
from rackwright.twin.hardware.parts.cable import BuiltCable as BuiltCable
from rackwright.twin.hardware.parts.cable import CableEnd as CableEnd
from rackwright.twin.hardware.parts.far_ends import End, far_ends
from rackwright.twin.hardware.parts.identity import identifier as identifier
from rackwright.twin.hardware.parts.identity import mac, machine_serial
from rackwright.twin.hardware.parts.identity import port_guid as port_guid
from rackwright.twin.hardware.parts.port import MachinePort as MachinePort

OLDER, NEWEST = "older", "newest"
"""In `TwinMachine.package_versions`: the newest release on the mirror that is older than the installed one; the newest of all."""


@dataclass(frozen=True)
class Gpu:
    """One accelerator of a machine."""

    index: int
    uuid: str
    serial: str
    product_name: str
    pci_bus_id: str
    vbios: str
    memory_bytes: int
    pcie_generation: int
    pcie_width: int
    nvlinks: tuple[bool, ...]
    power_limit_watts: int
    vendor: str = "nvidia"
    architecture: str = ""
    module: int = 0
    """The part that it is device `chip` of, from 0; all `chips` of a part have one serial number."""
    chip: int = 0
    chips: int = 1
    scale_up_links: int = 0
    """Links to other accelerators, NVLink included."""
    temperature_celsius: int = 34
    ecc_uncorrected_volatile: int = 0
    ecc_uncorrected_aggregate: int = 0
    row_remap_pending: bool = False
    row_remap_failed: bool = False
    nvlink_crc_errors: int = 0
    pcie_replays: int = 0
    throttle_reasons: tuple[str, ...] = ()
    present: bool = True
    """False: fallen off the bus; the library counts one less."""
    health: gpu.GpuHealth = field(default_factory=gpu.GpuHealth)


@dataclass(frozen=True)
class TwinMachine:
    """One machine with its BMC."""

    node: str
    role: str
    manufacturer: str
    model: str
    serial: str
    bios_version: str
    bmc_version: str
    power_state: str
    """``On`` or ``Off``: what the BMC says and the power the host really has."""
    cpu_count: int
    memory_gib: int
    gpus: tuple[Gpu, ...]
    nics: tuple[MachinePort, ...]
    psus_total: int
    psus_ok: int
    nvswitches: int = 0
    accounts: tuple[AccountState, ...] = ()
    """Of its BMC, beside the one that the twin is reached with."""
    health: str = "OK"
    boot_target: str = "None"
    boot_enabled: str = "Disabled"
    racked: bool = True
    """False: its slot is empty, and neither host nor BMC is there."""
    bmc_password_refused: bool = False
    ssh_hangs: bool = False
    """The host accepts TCP connections on port 22 and sends nothing."""
    ntp_unreachable: bool = False
    secure_boot: bool = False
    nouveau: bool = False
    """The installer left nouveau to be loaded at boot."""
    kernel: Literal["newest", "older", "pinned"] = "newest"
    """Kernels that the installer left: the newest; only an older one; both, with the boot loader set to the older."""
    dkms_fails: bool = False
    """The compiler refuses every module that DKMS builds."""
    restart_hangs: bool = False
    """A restart stops at the firmware: only a power cycle brings the machine back."""
    disk_mib: int = 0
    """Free space on the disk in MiB; 0 for enough."""
    mirror: Literal["", "unavailable", "truncated", "altered", "expired-key"] = ""
    """Fault of the package mirror for this machine; empty for none."""
    package_states: dict[str, str] = field(default_factory=dict)
    """dpkg's status words of preinstalled packages (``install ok half-configured``, ``hold ok installed``)."""
    dpkg_lock_seconds: int = 0
    """How long after boot another process holds the lock of dpkg."""
    package_versions: dict[str, str] = field(default_factory=dict)
    """Packages that end up at another version than in the bill (applied after onboarding)."""
    system: system.SystemReadings = field(default_factory=system.SystemReadings)
    chassis: chassis.ChassisReadings = field(default_factory=chassis.ChassisReadings)
    bmc_far: tuple[str, str] | None = None
    """Switch and port at which the cable of the BMC ends."""
    rdma: rdma.RdmaStack = field(default_factory=rdma.RdmaStack)
    performance: performance.Performance = field(default_factory=performance.Performance)
    board: gpu.Board = field(default_factory=gpu.Board)
    bmc_ports: int | None = None
    """Network ports that its BMC lists; None: all."""
    bios: bios.BiosState = field(default_factory=bios.BiosState)
    firmware: updates.FirmwareState = field(default_factory=updates.FirmwareState)
    trouble: updates.BmcTrouble = field(default_factory=updates.BmcTrouble)
    dialect: str = ""
    """As which its BMC speaks, one of ``rackwright/twin/dialects``; empty: as `bmc.documents` makes them."""

    def slot(self, port: MachinePort) -> tuple[int, int]:
        """Number of the adapter of `port` among those of the machine, from 0, and the function of the port on it."""
        at = self.nics.index(port)
        return sum(nic.function == 0 for nic in self.nics[: at + 1]) - 1, port.function

    @property
    def kind(self) -> tuple[str, int]:
        """Architecture and number of the accelerators, which make nodes partners in tests; not the model that a BMC reports, which may be wrong."""
        return (self.gpus[0].architecture, len(self.gpus)) if self.gpus else ("", 0)


@dataclass(frozen=True)
class State:
    """The whole simulated site; `plant`: rack PDUs and CDUs; `seed`: of the noise of healthy readings."""

    machines: dict[str, TwinMachine]
    cables: tuple[BuiltCable, ...]
    switches: dict[str, switch.SwitchState] = field(default_factory=dict)
    plant: plant.Plant = field(default_factory=plant.Plant)
    seed: int = 0

    @cached_property
    def plugged(self) -> Mapping[CableEnd, BuiltCable]:
        """The first connected cable at each end."""
        return {end: cable for cable in reversed(self.cables) for end in (cable.a, cable.b)}

    @cached_property
    def lossy(self) -> tuple[BuiltCable, ...]:
        """Cables that lose packets."""
        return tuple(cable for cable in self.cables if cable.delivered_share < 1.0 and cable.connected)

    def with_machine(self, node: str, change: Callable[[TwinMachine], TwinMachine]) -> State:
        """This state with one machine changed."""
        return replace(self, machines={**self.machines, node: change(self.machines[node])})


def build(design: Design, nodes: Sequence[str], *, seed: int = 0) -> State:
    """The healthy state of `nodes` of `design`, with the InfiniBand cables of the whole site; `seed` of the noise of readings."""
    infiniband = [fabric.name for fabric in design.site.fabrics if fabric.transport == "infiniband"]
    roles = {fabric.role for fabric in design.site.fabrics if fabric.transport == "infiniband"}
    far = far_ends(design, infiniband)
    machines = {name: _machine(design.site.site, design.node(name), roles, far) for name in nodes}
    cables = tuple(
        BuiltCable(r["cable"], r["fabric"], CableEnd(r["a_device"], r["a_port"]), CableEnd(r["b_device"], r["b_port"]))
        for r in design.cables.iter_rows(named=True)
        if r["fabric"] in infiniband
    )
    return State(machines, cables, switch.healthy(design), plant.healthy(design, nodes), seed)


def _machine(site: str, node: Node, infiniband: Collection[str], far: Mapping[End, End]) -> TwinMachine:
    server = node.server
    return TwinMachine(
        node=node.name,
        role=node.role,
        manufacturer=server.manufacturer,
        model=server.model,
        serial=machine_serial(site, node.name),
        bios_version="1.6.7",
        bmc_version="24.09.17",
        power_state="On",
        cpu_count=server.cpu_sockets,
        memory_gib=server.memory_gib,
        gpus=tuple(_gpu(site, node, index) for index in range(node.accelerators)),
        nics=tuple(
            MachinePort(
                name,
                group.role,
                port_guid(site, node.name, name),
                mac(site, node.name, name),
                group.adapter,
                at % group.lanes,
                group.role in infiniband,
                link.healthy(node, name, far.get((node.name, name))),
            )
            for group in server.ports
            for at, name in enumerate(group.names)
            if group.role != "bmc"
        ),
        bmc_far=next(
            (far.get((node.name, name)) for port in server.ports if port.role == "bmc" for name in port.names), None
        ),
        psus_total=server.psus.count,
        psus_ok=server.psus.count,
        nvswitches=server.nvswitches,
        system=system.healthy(node),
        chassis=chassis.healthy(node),
        performance=performance.healthy(node),
        bmc_ports=server.bmc.ports if server.bmc else None,
        dialect=server.bmc.dialect if server.bmc else "",
    )


def _gpu(site: str, node: Node, index: int) -> Gpu:
    sku = node.accelerator
    assert sku is not None, f"{node.name} has accelerators without an accelerator SKU"
    seed = identifier(site, node.name, f"gpu{index}")
    module, chip = divmod(index, sku.devices)
    return Gpu(
        index=index,
        uuid=f"GPU-{seed[:8]}-{seed[8:12]}-4{seed[1:4]}-8{seed[4:7]}-{seed}",
        serial=str(int(identifier(site, node.name, f"gpu{module}"), 16) % 10**13).zfill(13),
        product_name=sku.product_name,
        pci_bus_id=f"00000000:{0x1B + (0x11 if node.accelerators <= 8 else 8) * (module if sku.shared_function else index):02x}:00.0",
        vbios=gpu.FACTORY_VBIOS,
        memory_bytes=ids.memory_bytes(sku.vendor, sku.product_name, sku.memory_gib),
        pcie_generation=sku.pcie_generation,
        pcie_width=sku.pcie_width,
        nvlinks=(True,) * sku.nvlink_links,
        power_limit_watts=sku.tdp_watts,
        vendor=sku.vendor,
        architecture=sku.architecture,
        module=module,
        chip=chip,
        chips=sku.devices,
        scale_up_links=sku.nvlink_links or sku.scale_up_links,
        health=gpu.healthy(node, index),
    )
