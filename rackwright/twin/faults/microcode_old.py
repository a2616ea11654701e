"""The node missed an update of its firmware and runs an older microcode."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="microcode-old",
    summary="The microcode is older than that of the peers",
    apply=system(microcode="0x2b000571"),
    checks=frozenset({"cpu.microcode"}),
    names=frozenset({"0x2b000571"}),
)
