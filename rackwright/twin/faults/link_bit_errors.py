"""A link has far more bit errors than its error correction is to see."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_port

FAULT = Fault(
    name="link-bit-errors",
    summary="A link has far more bit errors than its error correction is to see",
    apply=on_port(lambda link: replace(link, raw_ber=4e-6)),
    checks=frozenset({"link.ber"}),
    names=RAIL_NAMES,
)
