"""Lines in the kernel log, as the catalogue has recorded them."""

from __future__ import annotations

from rackwright.error_codes.kernel_catalogue import load_kernel_catalogue
from rackwright.twin.faults.changes.machine import set_system_from
from rackwright.twin.faults.fault import Apply


def set_kernel_lines(*kinds: str) -> Apply:
    """Log the recorded line of each kind of ``validators/kernel``; these lines come from real logs, not from the authors of the twin."""
    by_kind = load_kernel_catalogue().by_kind
    lines = tuple((kind, by_kind[kind].line) for kind in kinds)
    return set_system_from(lambda machine: {"kernel_events": (*machine.system.kernel_events, *lines)})
