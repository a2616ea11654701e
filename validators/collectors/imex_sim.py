"""Prints a domain as `nvidia-imex-ctl -N -j` does."""

import json

from rackwright.model.evidence.imex import Imex


def render(seen: Imex) -> bytes:
    """The document whose parse is `seen`."""
    nodes = {
        str(number): {
            "status": one.status,
            "host": one.host,
            "connections": {
                str(other): {"host": host, "status": status, "changed": False}
                for other, (host, status) in enumerate(one.connections.items())
            },
        }
        for number, one in enumerate(seen.nodes)
    }
    return json.dumps({"nodes": nodes, "timestamp": "11/21/2026 08:41:07.000", "status": seen.status}).encode()
