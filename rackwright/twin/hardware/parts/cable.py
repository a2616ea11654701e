"""An InfiniBand cable of the twin as built, with the fields that a fault can change."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CableEnd:
    """One end of an as-built cable."""

    device: str
    port: str


@dataclass(frozen=True)
class BuiltCable:
    """A cable as built."""

    cable: str
    fabric: str
    a: CableEnd
    b: CableEnd
    connected: bool = True
    gbps: int = 0
    """Rate that it trained to; 0 as planned."""
    delivered_share: float = 1.0
    """Share of a flow that it delivers: below 1 it loses packets, and flows that are spread over it wait for them."""
