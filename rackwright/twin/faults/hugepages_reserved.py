"""Memory was left reserved as huge pages."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="hugepages-reserved",
    summary="Memory was left reserved as huge pages",
    apply=system(hugepages={"hugepages-2048kB": 65_536}),
    checks=frozenset({"host.hugepages"}),
    names=frozenset({"65536"}),
    refused=False,
)
