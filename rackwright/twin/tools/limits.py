"""What `prlimit` lists in a login session on a node of the twin."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.host import UserLimits
from rackwright.twin.hardware.state import State

PROCESSES = 8_253_917
KIB = 1024


def observe(state: State, design: Design, node: str) -> UserLimits:
    """The limits that the role limits_sysctl sets."""
    del design
    system = state.machines[node].system
    return UserLimits(
        open_files=system.open_files,
        stack_bytes=None if system.stack_kib is None else system.stack_kib * KIB,
        processes=PROCESSES,
    )


def render(record: UserLimits) -> bytes:
    """The lines that the collector parses to `record`."""
    limits = {
        "AS": None,
        "NOFILE": record.open_files,
        "NPROC": record.processes,
        "STACK": record.stack_bytes,
        "RTPRIO": 0,
    }
    return "".join(f"{name} {'unlimited' if value is None else value}\n" for name, value in limits.items()).encode()
