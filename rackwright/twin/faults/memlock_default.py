"""The limit of locked memory is the default of the kernel."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="memlock-default",
    summary="Locked memory is limited to 8 MiB",
    apply=system(memlock_kib=8192),
    checks=frozenset({"host.memlock"}),
    names=frozenset({"locked memory"}),
)
