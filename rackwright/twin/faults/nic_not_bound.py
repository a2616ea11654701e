"""The driver of an adapter did not bind: it is on the bus, and there is no device."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_port

FAULT = Fault(
    name="nic-not-bound",
    summary="The driver of an adapter did not bind",
    apply=on_port(lambda link: replace(link, present=False)),
    checks=frozenset({"nic.count"}),
    names=RAIL_NAMES,
)
