"""What the script of `host` finds on a node of the twin."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.host import Host
from rackwright.twin.hardware.parts import kernel
from rackwright.twin.hardware.parts.system import THREADS_PER_CORE
from rackwright.twin.hardware.state import State


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
    )
