"""An adapter is set to Ethernet in an InfiniBand fabric."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_port

FAULT = Fault(
    name="nic-wrong-mode",
    summary="An adapter is set to Ethernet in an InfiniBand fabric",
    apply=on_port(lambda link: replace(link, link_layer="Ethernet")),
    checks=frozenset({"nic.mode"}),
    names=RAIL_NAMES,
    needs="infiniband",
)
