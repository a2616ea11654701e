"""Bit errors of a link get past its error correction."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_port

FAULT = Fault(
    name="link-bit-errors-after-fec",
    summary="Bit errors of a link get past its error correction",
    apply=on_port(lambda link: replace(link, effective_ber=2e-9, symbol_ber=2e-9)),
    checks=frozenset({"link.ber"}),
    names=RAIL_NAMES,
)
