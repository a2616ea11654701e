"""A RoCE port does not notify of congestion: its settings were lost at a restart."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system_of

FAULT = Fault(
    name="roce-ecn-off",
    summary="A RoCE port does not notify of congestion",
    apply=system_of(lambda machine: {"ecn_off": tuple(nic.name for nic in machine.nics if nic.role == "compute")[:1]}),
    checks=frozenset({"nic.ecn"}),
    names=frozenset({"('', '')"}),
    needs="roce",
)
