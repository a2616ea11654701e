"""A transceiver is hotter than it allows itself."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_port

FAULT = Fault(
    name="link-module-hot",
    summary="A transceiver is hotter than it allows itself",
    apply=on_port(lambda link: replace(link, temperature_celsius=81.0)),
    checks=frozenset({"link.temperature"}),
    names=RAIL_NAMES,
)
