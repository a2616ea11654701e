"""Packets of a RoCE port carry no code point: its settings were lost at a restart."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system_of

FAULT = Fault(
    name="roce-unmarked",
    summary="Packets of a RoCE port carry no code point",
    apply=system_of(lambda machine: {"unmarked": tuple(nic.name for nic in machine.nics if nic.role == "compute")[:1]}),
    checks=frozenset({"nic.dscp"}),
    names=frozenset({"traffic class 0"}),
    needs="roce",
)
