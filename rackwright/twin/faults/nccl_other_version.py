"""NCCL was installed by hand at another version."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import moved

FAULT = Fault(
    name="nccl-other-version",
    summary="NCCL is at another version than declared",
    apply=moved("libnccl2", "2.28.9-1+cuda13.0"),
    checks=frozenset({"software.nccl"}),
    names=frozenset({"2.28.9"}),
)
