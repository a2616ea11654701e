"""An in-band port has no link."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import INBAND_NAMES, on_port

FAULT = Fault(
    name="ethernet-down",
    summary="An in-band port has no link",
    apply=on_port(lambda link: replace(link, up=False), "inband", 0),
    checks=frozenset({"ethernet.speed"}),
    names=INBAND_NAMES,
)
