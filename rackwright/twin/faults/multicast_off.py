"""Switches do not reduce: collectives fall back from NVLS to a ring."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="multicast-off",
    summary="Switches do not reduce: collectives fall back from NVLS to a ring",
    apply=harm.machine(multicast=False),
    checks=frozenset({"collective.path"}),
    names=frozenset({"p2p"}),
    needs="nvlink",
)
