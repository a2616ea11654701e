"""The reservoir of a CDU is low."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._plant import cdu

FAULT = Fault(
    name="cdu-reservoir-low",
    summary="The reservoir of a CDU is low",
    apply=cdu(0, level_percent=14.0, level="Low"),
    checks=frozenset({"cooling.reservoir"}),
    names=frozenset({"Reservoir 1 at 14 %"}),
    elsewhere=frozenset({"cooling.*"}),
    refused=False,
)
