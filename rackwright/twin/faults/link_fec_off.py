"""A link runs without error correction."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_port

FAULT = Fault(
    name="link-fec-off",
    summary="A link runs without error correction",
    apply=on_port(lambda link: replace(link, fec="No FEC")),
    checks=frozenset({"link.fec"}),
    names=RAIL_NAMES,
)
