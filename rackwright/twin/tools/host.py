"""What the script of `host` finds on a node of the twin."""

from __future__ import annotations

import uuid

from rackwright.model.design import Design
from rackwright.model.evidence.host import Host
from rackwright.model.software import BASES
from rackwright.twin.hardware.parts import kernel
from rackwright.twin.hardware.parts.system import THREADS_PER_CORE
from rackwright.twin.hardware.state import State

KIB = 1024


def observe(state: State, design: Design, node: str) -> Host:
    """The operating system of the node."""
    machine = state.machines[node]
    system = machine.system
    bill = design.site.software.bill(design.node(node).pool)
    name, _, release = (system.system or bill.system).rpartition("-")
    return Host(
        hostname=system.hostname or node,
        kernel=kernel.running(machine, bill),
        os_id=name,
        os_version=release,
        cpus=system.sockets * system.cores_per_socket * THREADS_PER_CORE - len(system.offline_cpus),
        memory_bytes=system.memory_kib * 1024,
        modules=[*system.modules, *(["nouveau"] if machine.nouveau else [])],
        sysctl=dict(system.sysctl),
        memlock_limit_bytes=None if system.memlock_kib is None else system.memlock_kib * 1024,
        boot_id=str(uuid.uuid5(uuid.NAMESPACE_DNS, f"{node}/{system.boots}")),
    )


def render(record: Host) -> bytes:
    """The sections that the collector parses to `record`; memory and limits come in KiB and must be whole ones."""
    limit = "unlimited" if record.memlock_limit_bytes is None else str(record.memlock_limit_bytes // KIB)
    sections = {
        "name": [record.hostname],
        "kernel": [record.kernel],
        **_release(record),
        "cpus": [str(record.cpus)],
        "memory": [f"MemTotal:       {record.memory_bytes // KIB} kB", "MemFree:          801340 kB"],
        "modules": [f"{name} 16384 1 - Live 0x0000000000000000" for name in record.modules],
        "settings": [f"{key} = {value}" for key, value in record.sysctl.items()],
        "memlock": [limit],
        "boot": [record.boot_id] if record.boot_id else [],
    }
    return "".join(f"== {name}\n" + "".join(f"{line}\n" for line in lines) for name, lines in sections.items()).encode()


def _release(record: Host) -> dict[str, list[str]]:
    """os-release, and what DGX OS has besides."""
    name, version = record.os_id, record.os_version
    base = BASES.get(f"{name}-{version}", "")
    base_name, _, base_version = base.rpartition("-") if base else (name, "", version)
    system = ['PRETTY_NAME="Some Linux 1 (one)"', f"ID={base_name}", f'VERSION_ID="{base_version}"']
    return {"system": system, "dgx": [f'DGX_SWBUILD_VERSION="{version}.0.0"'] if name == "dgx-os" else []}
