"""The memory of the second socket was taken out."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="socket-without-memory",
    summary="One socket has no memory of its own",
    apply=system(empty_numa_node=1),
    checks=frozenset({"memory.numa"}),
    names=frozenset({"node1"}),
)
