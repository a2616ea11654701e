"""A port has counted runs of symbol errors."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_port

FAULT = Fault(
    name="link-integrity-errors",
    summary="A port has counted runs of symbol errors",
    apply=on_port(lambda link: replace(link, counters={"local_link_integrity_errors": 25})),
    checks=frozenset({"link.errors"}),
    names=RAIL_NAMES,
)
