"""A lane of a link gets too little light."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_port

FAULT = Fault(
    name="link-weak-light",
    summary="A lane of a link gets too little light",
    apply=on_port(lambda link: replace(link, light_dbm=(1.2, -11.4, 1.4, 0.9))),
    checks=frozenset({"link.light"}),
    names=RAIL_NAMES,
)
