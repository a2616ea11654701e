"""Limits on the time and the output of hosts, shared by all transports over SSH."""

from __future__ import annotations

from dataclasses import dataclass, field

from rackwright.base import foreign


@dataclass(frozen=True)
class Patience:
    """Limits of one connection, and of the number of connections."""

    connect_seconds: float = 10.0
    banner_seconds: float = 10.0
    """Until sshd has sent its banner; one that accepts and then is silent hangs."""
    handshake_seconds: float = 30.0
    """For the key exchange; generous, because many hosts at once share our own processors."""
    auth_seconds: float = 30.0
    spare_seconds: float = 30.0
    """In addition to the limits of the commands: start of the probe, transfer."""
    at_once: int = 256
    """Hosts that are queried at the same time; their work is remote, so a connection costs only memory."""
    most_bytes: int = field(default_factory=lambda: foreign.limit("node_conversation").bytes)
    """Largest size of all answers of one host, in bytes."""
    alive_seconds: float = 15.0
    """Seconds between keep-alive requests to a quiet host; it is given up after `SILENCES` requests without an answer."""


SILENCES = 4
