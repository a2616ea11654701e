"""An InfiniBand cable of the twin as it was really plugged, and what can be wrong with it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CableEnd:
    """One end of an as-built cable."""

    device: str
    port: str


@dataclass(frozen=True)
class BuiltCable:
    """A cable as it was really plugged."""

    cable: str
    fabric: str
    a: CableEnd
    b: CableEnd
    connected: bool = True
    gbps: int = 0
    """Rate that it trained to; 0 as planned."""
    left: float = 1.0
    """Share that is left of a flow that may take it: below 1 it loses packets, and whatever is spread over it waits for them."""
