"""A kernel of the node crashed and left its last words."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="kernel-crashed",
    summary="A crashed kernel left a dump",
    apply=system(crash_dumps=("/sys/fs/pstore/dmesg-erst-7412",)),
    checks=frozenset({"host.crash_dumps"}),
    names=frozenset({"dmesg-erst-7412"}),
)
