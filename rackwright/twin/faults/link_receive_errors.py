"""A port has counted hundreds of packets with errors."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_port

FAULT = Fault(
    name="link-receive-errors",
    summary="A port has counted hundreds of packets with errors",
    apply=on_port(lambda link: replace(link, counters={"port_rcv_errors": 388})),
    checks=frozenset({"link.errors"}),
    names=RAIL_NAMES,
)
