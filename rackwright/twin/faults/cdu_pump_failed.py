"""A pump of a CDU has failed."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._plant import cdu

FAULT = Fault(
    name="cdu-pump-failed",
    summary="A pump of a CDU has failed",
    apply=cdu(0, failed_pumps=(2,)),
    checks=frozenset({"cooling.pumps"}),
    names=frozenset({"Pump 2"}),
    elsewhere=frozenset({"cooling.*"}),
    refused=False,
)
