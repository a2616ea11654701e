"""What `systemctl show` prints of the units that the roles promise, on a node of the twin."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.base import content
from rackwright.model.design import Design, Node
from rackwright.model.evidence.host import Services
from rackwright.twin.hardware.state import State, TwinMachine

CLOCK = {"dpkg": "chrony", "rpm": "chronyd"}
"""Unit of chrony: debian/chrony.service, and chrony.spec of EL 9."""
ALIAS, UNIT = "chronyd", "chrony"
"""Where the unit is chrony.service, chronyd.service is an alias of it (debian/chrony.service), and systemctl answers with the unit's own name."""


def observe(state: State, design: Design, node: str) -> Services:
    """Every queried unit: those of the node are enabled and run, systemd does not know the others."""
    machine = state.machines[node]
    units = [
        unit_name.removesuffix(".service") for unit_name in content.module("validators", "collectors", "services").UNITS
    ]
    promised = set(_promised_units(design, design.node(node)))
    stopped = {*machine.system.stopped_services, *_refusing(machine)}
    active, enabled = {}, {}
    for unit in units:
        if unit == ALIAS and UNIT in promised:
            continue
        running = "failed" if unit in stopped else "active"
        active[unit] = running if unit in promised else "inactive"
        enabled[unit] = "not-found" if unit not in promised else "enabled"
        if unit in machine.system.disabled_services:
            enabled[unit] = "disabled"
    return Services(active=active, enabled=enabled)


def _promised_units(design: Design, node: Node) -> Iterator[str]:
    bill = design.site.software.bill(node.pool)
    yield CLOCK[bill.packager]
    if node.accelerator and node.accelerator.vendor == "nvidia":
        yield from ("nvidia-persistenced", "nvidia-dcgm")
    if node.server.fabric_manager:
        yield "nvidia-fabricmanager"
    if bill.containerd:
        yield "containerd"
    if node.scheduler == "slurm":
        yield from ("munge", "slurmd")
    if node.role == "slurm":
        yield from ("munge", "slurmctld")


def _refusing(machine: TwinMachine) -> Iterator[str]:
    """Services that end by themselves: fabric manager beside another release of the driver, slurmd without a device."""
    moved = [name for name in machine.package_versions if name.startswith("nvidia-fabricmanager")]
    moved += [name for name in machine.package_versions if name in {"nvidia-open", "nvidia-driver"}]
    if moved:
        yield "nvidia-fabricmanager"
    if any(not gpu.present for gpu in machine.gpus):
        yield "slurmd"


def render(record: Services) -> bytes:
    """The blocks that the collector parses to `record`."""
    names = list(record.active)
    if UNIT in names and ALIAS not in names:
        names.insert(names.index(UNIT), UNIT)
    return "\n".join(_block(name, record.active[name], record.enabled[name]) for name in names).encode()


def _block(name: str, active: str, enabled: str) -> str:
    load, file_state = ("not-found", "") if enabled == "not-found" else ("loaded", enabled)
    return f"Id={name}.service\nLoadState={load}\nActiveState={active}\nUnitFileState={file_state}\n"
