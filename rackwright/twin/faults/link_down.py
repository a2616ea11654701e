"""The link of an adapter does not train."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_port

FAULT = Fault(
    name="link-down",
    summary="The link of an adapter does not train",
    apply=on_port(lambda link: replace(link, up=False)),
    checks=frozenset({"link.state", "link.rate", "fabric.cabling"}),
    names=RAIL_NAMES,
)
