"""Two lanes of a link are dead."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_port

FAULT = Fault(
    name="link-lanes-lost",
    summary="Two lanes of a link are dead",
    apply=on_port(lambda link: replace(link, lanes=2)),
    checks=frozenset({"link.rate", "fabric.link_rate"}),
    names=RAIL_NAMES,
    needs="infiniband",
)
