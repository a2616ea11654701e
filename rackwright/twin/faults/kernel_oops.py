"""The kernel has hit a fault of its own."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="kernel-oops",
    summary="The kernel has hit a fault of its own",
    apply=system(kernel_events=(("oops", "BUG: kernel NULL pointer dereference, address: 0000000000000010"),)),
    checks=frozenset({"kernel.oops"}),
    names=frozenset({"NULL pointer"}),
)
