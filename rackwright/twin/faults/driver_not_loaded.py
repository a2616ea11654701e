"""The module of the driver is not loaded: it was built for another kernel."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="driver-not-loaded",
    summary="The kernel module of the driver is not loaded",
    apply=system(modules=("ib_core",)),
    checks=frozenset({"host.modules"}),
    names=frozenset({": not loaded"}),
    masks=frozenset(
        {"gpu.*", "nvlink.[!is]*", "pcie.generation", "pcie.replays", "pcie.width", "software.cuda", "software.driver"}
    ),
)
