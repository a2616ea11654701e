"""A port is in no partition."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_port

FAULT = Fault(
    name="partition-missing",
    summary="A port is in no partition",
    apply=on_port(lambda link: replace(link, keys=())),
    checks=frozenset({"fabric.partitions"}),
    names=RAIL_NAMES,
)
