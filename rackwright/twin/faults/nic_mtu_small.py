"""A port has half of the MTU."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_port

FAULT = Fault(
    name="nic-mtu-small",
    summary="A port has half of the MTU",
    apply=on_port(lambda link: replace(link, mtu=2048)),
    checks=frozenset({"nic.mtu"}),
    names=RAIL_NAMES,
)
