"""Ports and loopback networks that no other test process of this machine uses, of this checkout or of another."""

from __future__ import annotations

import random
import socket
from collections.abc import Iterator, Sequence

PORTS = range(10_000, 32_000)
"""Below the ports that the kernel gives to outgoing connections (net.ipv4.ip_local_port_range starts at 32768)."""
NETWORKS = range(64, 250)
"""Second bytes of 127.0.0.0/8."""

_reservations: list[socket.socket] = []


def free_port() -> int:
    """A TCP port that nothing listens on and that stays reserved for this process until it ends."""
    return next(port for port in _reserve("port", PORTS) if _is_free(port))


def loopback_network() -> str:
    """The first two bytes of a network of loopback addresses, ``127.64``, reserved for this process."""
    return f"127.{next(_reserve('network', NETWORKS))}"


def _reserve(kind: str, numbers: Sequence[int]) -> Iterator[int]:
    """Numbers that no other process holds: an abstract socket has one owner, and the kernel drops it with the process."""
    for number in random.sample(numbers, len(numbers)):
        reservation = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            reservation.bind(f"\0rackwright-tests-{kind}-{number}")
        except OSError:
            reservation.close()
            continue
        _reservations.append(reservation)
        yield number


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("", port))
        except OSError:
            return False
    return True
