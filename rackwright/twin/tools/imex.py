"""The NVLink domain of a rack of the twin, as the IMEX daemon of one tray sees it."""

from __future__ import annotations

import json

from rackwright.model.design import Design
from rackwright.model.evidence.imex import Imex, ImexNode
from rackwright.twin.hardware.state import State

ANSWERED = True


def observe(state: State, design: Design, node: str) -> Imex:
    """Every tray of the rack; those that `node` has lost, or that are switched off, are not available."""
    own = design.node(node)
    trays = [one for one in design.nodes("accelerator") if one.rack == own.rack and one.server.sku == own.server.sku]
    lost = set(state.machines[node].board.imex_lost)
    lost |= {name for name, machine in state.machines.items() if machine.power_state != "On"}
    away = {one.inband_address for one in trays if one.name in lost}
    hosts = [one.inband_address for one in trays]
    return Imex(
        status="DEGRADED" if away else "UP",
        nodes=[
            ImexNode(
                host=host,
                status="UNAVAILABLE" if host in away else "READY",
                connections={other: "INVALID" if {host, other} & away else "CONNECTED" for other in hosts},
            )
            for host in hosts
        ],
    )


def render(record: Imex) -> bytes:
    """The document that the collector parses to `record`."""
    nodes = {
        str(number): {
            "status": one.status,
            "host": one.host,
            "connections": {
                str(other): {"host": host, "status": status, "changed": False}
                for other, (host, status) in enumerate(one.connections.items())
            },
        }
        for number, one in enumerate(record.nodes)
    }
    return json.dumps({"nodes": nodes, "timestamp": "11/21/2026 08:41:07.000", "status": record.status}).encode()
