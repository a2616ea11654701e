"""A RoCE port has no IP address, so that no peer can reach it."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_port

FAULT = Fault(
    name="roce-address-missing",
    summary="A RoCE port has no IP address, so that no peer can reach it",
    apply=on_port(lambda link: replace(link, gid=False)),
    checks=frozenset({"nic.roce"}),
    names=RAIL_NAMES,
    needs="roce",
)
