"""A RoCE link came up at a quarter of its rate."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_port

FAULT = Fault(
    name="roce-link-slow",
    summary="A RoCE link came up at a quarter of its rate",
    apply=on_port(lambda link: replace(link, gbps=100)),
    checks=frozenset({"ethernet.speed", "link.rate"}),
    names=RAIL_NAMES,
    needs="roce",
)
