"""The boot loader's menu was written anew without the arguments of the platform."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="kernel-arguments-lost",
    summary="The kernel was started without its arguments",
    apply=system(command_line="quiet"),
    checks=frozenset({"host.cmdline"}),
    names=frozenset({"iommu"}),
)
