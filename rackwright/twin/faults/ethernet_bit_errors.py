"""An in-band port loses frames to bit errors."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import INBAND_NAMES, on_port

FAULT = Fault(
    name="ethernet-bit-errors",
    summary="An in-band port loses frames to bit errors",
    apply=on_port(lambda link: replace(link, crc_errors=90_211), "inband", 0),
    checks=frozenset({"ethernet.errors"}),
    names=INBAND_NAMES,
)
