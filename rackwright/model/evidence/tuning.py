"""Kernel and main board settings in force on one node (files below /proc and /sys)."""

from __future__ import annotations

from rackwright.model.base import Record


class Shared(Record):
    """One value of a per-CPU setting, with the number of CPUs that have it."""

    value: str
    cpus: int
    first: str
    """One of them (``cpu17``, ``policy17``)."""


class MemoryErrors(Record):
    """Errors that the memory controller has counted in one module since boot."""

    label: str
    """Name of the slot as the board labels it; the controller's own place where it does not."""
    corrected: int
    uncorrected: int


class Tuning(Record):
    """Settings in force; None or empty where this kernel has no such file."""

    command_line: str | None
    transparent_hugepages: str | None
    """Mode in force (``always``, ``madvise``, ``never``)."""
    hugepages: dict[str, int]
    """Pages that are set aside, by pool (``hugepages-2048kB``)."""
    governors: list[Shared]
    ceilings: list[Shared]
    """Highest frequency that a CPU is allowed, in kHz."""
    highest: list[Shared]
    """Highest frequency that its hardware can do, in kHz."""
    microcode: list[Shared]
    numa_memory: dict[str, int]
    """Bytes by NUMA node (``node0``)."""
    memory_errors: list[MemoryErrors]
    """Empty without a driver that counts them (EDAC)."""
    crash_dumps: list[str]
    """Records of crashed kernels (pstore)."""
