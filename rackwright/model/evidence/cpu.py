"""The processors of one node as its kernel reports them."""

from __future__ import annotations

from rackwright.model.base import Record


class Cpu(Record):
    """Processors as `lscpu` counts them; None where this kernel does not report a value."""

    model: str
    sockets: int
    cores_per_socket: int
    threads_per_core: int
    cpus: int
    """Logical CPUs that the kernel knows, those that are off included."""
    online: str
    """CPUs that run (``0-111``)."""
    offline: str
    """CPUs that are switched off; empty where there are none."""
    numa_nodes: int | None
    max_mhz: float | None
