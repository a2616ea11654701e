"""A port has counted hundreds of symbol errors."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_port

FAULT = Fault(
    name="link-symbol-errors",
    summary="A port has counted hundreds of symbol errors",
    apply=on_port(lambda link: replace(link, counters={"symbol_error": 512})),
    checks=frozenset({"link.errors"}),
    names=RAIL_NAMES,
)
