"""The baseboard does not power one accelerator."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import chassis

FAULT = Fault(
    name="gpu-unlisted",
    summary="The BMC lists one accelerator fewer",
    apply=chassis(gpus_unlisted=(5,)),
    checks=frozenset({"bmc.gpus"}),
    names=frozenset({"inventory: {left[1]}"}),
)
