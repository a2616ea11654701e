"""The symbol errors of a port rise while nobody touches it."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_port

FAULT = Fault(
    name="link-errors-rising",
    summary="The symbol errors of a port rise while nobody touches it",
    apply=on_port(lambda link: replace(link, growth={"symbol_error": 6})),
    checks=frozenset({"link.soak"}),
    names=RAIL_NAMES,
)
