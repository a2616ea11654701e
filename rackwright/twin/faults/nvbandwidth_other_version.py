"""nvbandwidth was installed by hand at another version."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import moved

FAULT = Fault(
    name="nvbandwidth-other-version",
    summary="nvbandwidth is at another version than declared",
    apply=moved("nvbandwidth", "0.8-1"),
    checks=frozenset({"software.nvbandwidth"}),
    names=frozenset({"0.8"}),
)
