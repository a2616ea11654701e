"""One adapter is another board than its peers."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_port

FAULT = Fault(
    name="nic-board-other",
    summary="One adapter is another board than its peers",
    apply=on_port(lambda link: replace(link, board="MT_0000000834")),
    checks=frozenset({"nic.board"}),
    names=RAIL_NAMES,
)
