"""What the script of `host` finds on a node of the twin."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.host import Host
from rackwright.twin.parts.system import THREADS_PER_CORE
from rackwright.twin.state import State

OLDER_KERNEL = "6.1.0-44-amd64"
"""The release that a node runs whose boot loader starts an older kernel than the installed one."""


def observe(state: State, design: Design, node: str) -> Host:
    """The operating system of the node; `kernel` of its machine decides which of two kernels runs."""
    machine = state.machines[node]
    system = machine.system
    bill = design.site.software.bill(design.node(node).pool)
    name, _, release = (system.system or bill.system).rpartition("-")
    return Host(
        hostname=system.hostname or node,
        kernel=OLDER_KERNEL if machine.kernel != "newest" else bill.kernel or system.kernel,
        os_id=name,
        os_version=release,
        cpus=system.sockets * system.cores_per_socket * THREADS_PER_CORE - len(system.offline_cpus),
        memory_bytes=system.memory_kib * 1024,
        modules=[*system.modules, *(["nouveau"] if machine.nouveau else [])],
        sysctl=dict(system.sysctl),
        memlock_limit_bytes=None if system.memlock_kib is None else system.memlock_kib * 1024,
    )
