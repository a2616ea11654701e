"""How the two ends of perftest meet: one line over TCP each way, with the adapter that each of them uses.

The real tool swaps addresses and keys of its queue pairs in the same way
(linux-rdma/perftest, src/perftest_communication.c), so that a client whose server is not there fails, and one adapter need not be like the other.

Source: linux-rdma/perftest, src/perftest_communication.c, as above.
"""

from __future__ import annotations

import socket

MOST_SECONDS = 120.0
"""A server waits no longer, so that none outlives its twin; the real one waits until it is ended."""


def address(node: str) -> str:
    """Where `node` answers."""
    return node


def serve(message: str, port: int) -> str | None:
    """The adapter of the connecting client; None if none connects, or if the port is taken."""
    try:
        with socket.create_server(("", port)) as listening:
            listening.settimeout(MOST_SECONDS)
            client, _ = listening.accept()
            with client:
                return _swap_messages(client, message) or None
    except OSError:
        return None


def call(message: str, node: str, port: int) -> str | None:
    """The adapter of the server on `node`; None if no server listens there."""
    try:
        with socket.create_connection((address(node), port), timeout=MOST_SECONDS) as server:
            return _swap_messages(server, message) or None
    except OSError:
        return None


def _swap_messages(end: socket.socket, message: str) -> str:
    end.settimeout(MOST_SECONDS)
    end.sendall(f"{message}\n".encode())
    with end.makefile() as lines:
        return lines.readline().strip()
