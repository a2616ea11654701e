"""The leak detector of a rack is not wired."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._plant import cdu

FAULT = Fault(
    name="cdu-detector-missing",
    summary="The leak detector of a rack is not wired",
    apply=cdu(0, lost_detectors=("train-r01",)),
    checks=frozenset({"cooling.leaks"}),
    names=frozenset({"train-r01"}),
    elsewhere=frozenset({"cooling.*"}),
    refused=False,
)
