"""No lane of a link gets light."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_port

FAULT = Fault(
    name="link-dark",
    summary="No lane of a link gets light",
    apply=on_port(lambda link: replace(link, light_dbm=(-40.0, -40.0, -40.0, -40.0), up=False)),
    checks=frozenset({"link.light", "link.state"}),
    names=RAIL_NAMES,
)
