"""The `systemctl` of a host: sends its words to the init and prints the answer. Everything else happens there.

It imports as little as it can: a playbook calls it hundreds of times.

Source: systemctl(1) of systemd 252.
"""

from __future__ import annotations

import _socket
import os
import sys

SOCKET = "/run/rackwright-twin/init.sock"
MACHINE = ("reboot", "poweroff", "halt", "shutdown")


def main() -> int:
    """Entry point."""
    called = os.path.basename(sys.argv[0])
    words = [called, *sys.argv[1:]] if called in MACHINE else sys.argv[1:]
    try:
        connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        connection.connect(SOCKET)
        connection.sendall("\0".join(words).encode() + b"\0\0")
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
    except OSError as error:
        sys.stderr.write(f"Failed to connect to the init of this host: {error.strerror}\n")
        return 1
    code, _, rest = answer.partition(b"\0")
    out, _, err = rest.partition(b"\0")
    os.write(1, out) if out else None
    os.write(2, err) if err else None
    return int(code or b"1")
