"""How long hosts may take, and how much they may say. Data that every way over SSH shares."""

from __future__ import annotations

from dataclasses import dataclass, field

from rackwright.base import foreign


@dataclass(frozen=True)
class Patience:
    """Limits of one connection, and of how many there are."""

    connect_seconds: float = 10.0
    banner_seconds: float = 10.0
    """Until sshd has identified itself; one that accepts and then is silent hangs."""
    handshake_seconds: float = 30.0
    """For the key exchange; generous, because many hosts at once share our own processors."""
    auth_seconds: float = 30.0
    spare_seconds: float = 30.0
    """On top of the limits of the commands themselves: start of the probe, transfer."""
    at_once: int = 256
    """Hosts that are talked to at the same time; their work is elsewhere, and a connection costs memory alone."""
    most_bytes: int = field(default_factory=lambda: foreign.limit("node_conversation").bytes)
    """Of all answers of one host."""
    alive_seconds: float = 15.0
    """Seconds between keep-alive requests to a quiet host; it is given up after `SILENCES` times without an answer."""


SILENCES = 4
