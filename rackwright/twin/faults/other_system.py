"""The node was installed from another image."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="other-system",
    summary="Another operating system is installed",
    apply=system(system="ubuntu-22.04"),
    checks=frozenset({"host.system"}),
    names=frozenset({"ubuntu-22.04"}),
)
