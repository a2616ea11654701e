"""The system drive is nearly full."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="root-full",
    summary="The system drive is full",
    apply=system(root_used_share=0.97),
    checks=frozenset({"host.disk_space"}),
    names=frozenset({"root"}),
)
