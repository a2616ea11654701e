"""Somebody switched transparent huge pages off."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="hugepages-off",
    summary="Transparent huge pages are off",
    apply=system(transparent_hugepages="never"),
    checks=frozenset({"host.hugepages"}),
    names=frozenset({"never"}),
    refused=False,
)
