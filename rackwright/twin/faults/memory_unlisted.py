"""The inventory lacks two memory modules."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import chassis

FAULT = Fault(
    name="memory-unlisted",
    summary="The BMC counts less memory",
    apply=chassis(memory_gib_listed=1920),
    checks=frozenset({"bmc.memory"}),
    names=frozenset({"1920"}),
)
