"""A link goes down dozens of times a day."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_port

FAULT = Fault(
    name="link-flapping",
    summary="A link goes down dozens of times a day",
    apply=on_port(lambda link: replace(link, downs=37)),
    checks=frozenset({"link.flaps"}),
    names=RAIL_NAMES,
)
