"""The limit of the stack is the default of the distribution."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="stack-default",
    summary="The stack is limited to 8 MiB",
    apply=system(stack_kib=8192),
    checks=frozenset({"host.stack"}),
    names=frozenset({"stack"}),
    refused=False,
)
