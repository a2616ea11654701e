"""One adapter has older firmware than its peers."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_port

FAULT = Fault(
    name="nic-firmware-old",
    summary="One adapter has older firmware than its peers",
    apply=on_port(lambda link: replace(link, firmware="28.46.4002")),
    checks=frozenset({"nic.firmware"}),
    names=RAIL_NAMES,
)
