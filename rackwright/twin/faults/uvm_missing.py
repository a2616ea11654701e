"""A module of the driver was not built."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="uvm-missing",
    summary="The module nvidia_uvm is not loaded",
    apply=system(modules=("nvidia", "ib_core")),
    checks=frozenset({"host.modules"}),
    names=frozenset({"nvidia_uvm"}),
)
