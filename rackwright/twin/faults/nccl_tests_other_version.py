"""nccl-tests was installed by hand at another version."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import moved

FAULT = Fault(
    name="nccl-tests-other-version",
    summary="nccl-tests is at another version than declared",
    apply=moved("nccl-tests", "2.16.0-1"),
    checks=frozenset({"software.nccl_tests"}),
    names=frozenset({"2.16.0"}),
)
