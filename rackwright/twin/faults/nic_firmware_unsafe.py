"""One adapter has firmware below the security floor."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import RAIL_NAMES, on_port

FAULT = Fault(
    name="nic-firmware-unsafe",
    summary="One adapter has firmware below the security floor",
    apply=on_port(lambda link: replace(link, firmware="28.43.2026")),
    checks=frozenset({"nic.firmware", "nic.firmware_floor"}),
    names=RAIL_NAMES,
)
