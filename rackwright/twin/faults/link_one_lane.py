"""One lane of a link is left."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_port

FAULT = Fault(
    name="link-one-lane",
    summary="One lane of a link is left",
    apply=on_port(lambda link: replace(link, lanes=1)),
    checks=frozenset({"link.rate", "fabric.link_rate"}),
    names=RAIL_NAMES,
    needs="infiniband",
)
