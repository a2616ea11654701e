"""What `cxi_stat -r` says of every Slingshot port of a node."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.link import LinkReading, Links
from rackwright.model.sku import SLINGSHOT
from rackwright.twin.hardware import wires
from rackwright.twin.hardware.state import NicPort, State

ANSWERED = True
MODES = {200: "BS_200G", 100: "BJ_100G", 50: "CD_50G"}
"""Link modes by Gb/s (``utils/cxi_stat.c``, rate_to_ber)."""


def observe(state: State, design: Design, node: str) -> Links:
    """One reading per Slingshot port that stands on the bus."""
    ports = [one for one in wires.ethernet_ports(state, design, node) if one[0].adapter.startswith(SLINGSHOT)]
    return Links(
        ports={nic.name: _reading(nic, wires.rate(state, design, node, nic, link)) for nic, link in ports}, unread={}
    )


def _reading(nic: NicPort, gbps: int) -> LinkReading:
    up = gbps > 0
    return LinkReading(
        state="up" if up else "down",
        physical_state="",
        speed=MODES.get(gbps, "") if up else "",
        lanes=None,
        fec=None,
        minutes=None,
        symbol_errors=None,
        symbol_ber=None,
        effective_errors=None,
        effective_ber=_printed(nic.link.effective_ber) if up else None,
        raw_ber=_printed(nic.link.raw_ber) if up else None,
        downs=None,
        recoveries=None,
        advice="",
        module=None,
    )


def _printed(rate: float) -> float:
    """To the four digits that the tool prints; what four seconds cannot tell from nothing is nothing."""
    return float(f"{rate:.3e}") if rate >= LEAST else 0.0


LEAST = 1.176e-12
"""1 / 4 / 212.5e9 (``utils/cxi_stat.c``)."""
