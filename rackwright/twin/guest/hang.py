"""A listener on port 22 that accepts connections and never says a word: the fault of an SSH server that hangs."""

from __future__ import annotations

import socket
import time

BACKLOG = 128


def main() -> int:
    """Listen forever; the kernel accepts connections, and no program answers them."""
    server = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind(("0.0.0.0", 22))  # noqa: S104 - the host's only network
    server.listen(BACKLOG)
    while True:
        time.sleep(3600)
