"""Coolant leaks at a rack."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._plant import cdu

FAULT = Fault(
    name="cdu-leak-at-rack",
    summary="Coolant leaks at a rack",
    apply=cdu(0, wet=("train-r01",)),
    checks=frozenset({"cooling.leaks"}),
    names=frozenset({"train-r01"}),
    elsewhere=frozenset({"cooling.*"}),
    refused=False,
)
