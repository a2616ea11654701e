"""A transceiver of another kind is in a port."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_port

FAULT = Fault(
    name="link-wrong-part",
    summary="A transceiver of another kind is in a port",
    apply=on_port(lambda link: replace(link, part="MMS4X00-NM")),
    checks=frozenset({"link.cable_part"}),
    names=RAIL_NAMES,
)
