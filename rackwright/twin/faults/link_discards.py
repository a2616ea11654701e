"""A port has thrown thousands of packets away."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_port

FAULT = Fault(
    name="link-discards",
    summary="A port has thrown thousands of packets away",
    apply=on_port(lambda link: replace(link, counters={"port_xmit_discards": 4211})),
    checks=frozenset({"link.errors"}),
    names=RAIL_NAMES,
)
