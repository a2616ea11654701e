"""A CDU moves too little coolant."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._plant import cdu

FAULT = Fault(
    name="cdu-low-flow",
    summary="A CDU moves too little coolant",
    apply=cdu(0, flow_share=0.6),
    checks=frozenset({"cooling.flow"}),
    names=frozenset({"coolant:"}),
    elsewhere=frozenset({"cooling.*"}),
    refused=False,
)
