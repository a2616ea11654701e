"""An adapter is not seated."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import chassis

FAULT = Fault(
    name="nic-unlisted",
    summary="The BMC lists one adapter fewer",
    apply=chassis(nics_unlisted=("mlx5_5",)),
    checks=frozenset({"bmc.nics"}),
    names=frozenset({"{compute[3]}"}),
)
