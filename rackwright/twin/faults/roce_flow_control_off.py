"""A RoCE port has no lossless priority, so that it drops packets under load."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_port

FAULT = Fault(
    name="roce-flow-control-off",
    summary="A RoCE port has no lossless priority, so that it drops packets under load",
    apply=on_port(lambda link: replace(link, lossless=())),
    checks=frozenset({"nic.lossless"}),
    names=RAIL_NAMES,
    needs="roce",
)
