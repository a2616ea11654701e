"""The host bears the name of another node."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="wrong-name",
    summary="The host has the name of another node",
    apply=system(hostname="train-030"),
    checks=frozenset({"host.name"}),
    names=frozenset({"train-030"}),
)
