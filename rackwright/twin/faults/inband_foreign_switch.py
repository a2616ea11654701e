"""An in-band cable ends in a switch that is not of the plan."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import INBAND_NAMES, on_port

FAULT = Fault(
    name="inband-foreign-switch",
    summary="An in-band cable ends in a switch that is not of the plan",
    apply=on_port(lambda link: replace(link, far=("lab-switch-07", "swp12")), "inband", 0),
    checks=frozenset({"ethernet.cabling"}),
    names=INBAND_NAMES,
)
