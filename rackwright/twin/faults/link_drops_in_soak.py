"""A link goes down during a soak."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_port

FAULT = Fault(
    name="link-drops-in-soak",
    summary="A link goes down during a soak",
    apply=on_port(lambda link: replace(link, growth={"link_downed": 1, "link_error_recovery": 1})),
    checks=frozenset({"link.soak"}),
    names=RAIL_NAMES,
)
