"""A transceiver reads 40 degrees below zero: its sensor is broken."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_port

FAULT = Fault(
    name="link-module-cold",
    summary="A transceiver reads 40 degrees below zero: its sensor is broken",
    apply=on_port(lambda link: replace(link, temperature_celsius=-40.0)),
    checks=frozenset({"link.temperature"}),
    names=RAIL_NAMES,
)
