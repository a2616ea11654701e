"""An in-band port came up at 1 Gb/s."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import INBAND_NAMES, on_port

FAULT = Fault(
    name="ethernet-slow",
    summary="An in-band port came up at 1 Gb/s",
    apply=on_port(lambda link: replace(link, gbps=1), "inband", 0),
    checks=frozenset({"ethernet.speed"}),
    names=INBAND_NAMES,
)
