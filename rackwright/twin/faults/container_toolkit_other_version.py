"""The container toolkit was installed by hand at another version."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import moved

FAULT = Fault(
    name="container-toolkit-other-version",
    summary="The container toolkit is at another version than declared",
    apply=moved("nvidia-container-toolkit", "1.19.1-1"),
    checks=frozenset({"software.container_toolkit"}),
    names=frozenset({"1.19.1"}),
)
