"""The NVLink domain of a rack of the twin, as the IMEX daemon of one tray sees it."""

from __future__ import annotations

import json

from rackwright.model.design import Design
from rackwright.model.evidence.imex import Imex, ImexNode
from rackwright.twin.hardware.state import State

ANSWERED = True


def observe(state: State, design: Design, node: str) -> Imex:
    """Every tray of the rack; those that `node` has lost, or that are switched off, are not available."""
    tray = design.node(node)
    trays = [
        candidate
        for candidate in design.nodes("accelerator")
        if candidate.rack == tray.rack and candidate.server.sku == tray.server.sku
    ]
    lost = set(state.machines[node].board.imex_lost)
    lost |= {name for name, machine in state.machines.items() if machine.power_state != "On"}
    away = {candidate.inband_address for candidate in trays if candidate.name in lost}
    hosts = [candidate.inband_address for candidate in trays]
    return Imex(
        status="DEGRADED" if away else "UP",
        nodes=[
            ImexNode(
                host=host,
                status="UNAVAILABLE" if host in away else "READY",
                connections={peer: "INVALID" if {host, peer} & away else "CONNECTED" for peer in hosts},
            )
            for host in hosts
        ],
    )


def render(record: Imex) -> bytes:
    """The document that the collector parses to `record`."""
    nodes = {
        str(number): {
            "status": node.status,
            "host": node.host,
            "connections": {
                str(peer): {"host": host, "status": status, "changed": False}
                for peer, (host, status) in enumerate(node.connections.items())
            },
        }
        for number, node in enumerate(record.nodes)
    }
    return json.dumps({"nodes": nodes, "timestamp": "11/21/2026 08:41:07.000", "status": record.status}).encode()
