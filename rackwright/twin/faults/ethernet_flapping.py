"""An in-band port loses its carrier dozens of times a day."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import INBAND_NAMES, on_port

FAULT = Fault(
    name="ethernet-flapping",
    summary="An in-band port loses its carrier dozens of times a day",
    apply=on_port(lambda link: replace(link, carrier_downs=40), "inband", 0),
    checks=frozenset({"ethernet.flaps"}),
    names=INBAND_NAMES,
)
