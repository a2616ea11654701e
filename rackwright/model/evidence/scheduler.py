"""The state of one node in Slurm (`scontrol show node`)."""

from __future__ import annotations

from rackwright.model.base import Record


class SchedulerNode(Record):
    """One node as Slurm sees it."""

    name: str
    states: list[str]
    """Base state and flags, lower case (``idle``, ``drain``)."""
    reason: str
    reason_by: str
    """User that set the reason."""
    gres: str
    cpus: int | None = None
    """CPUs that Slurm may give away (``CPUTot``)."""
    memory_mib: int | None = None
    """``RealMemory``."""
    answers: bool = True
    """False when slurmctld hears nothing from the node's slurmd (``*`` behind its state, or the flag NOT_RESPONDING)."""
