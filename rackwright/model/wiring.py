"""The cable plan of a site as checks of the network read it: one record for all nodes, turned round once.

In: nothing; `rackwright.judge.expect` fills it. Cut from `check` because no check of another domain reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rackwright.model.sku import Cable


@dataclass(frozen=True)
class Trunk:
    """One planned cable between two switches, seen from one of them."""

    cable: str
    fabric: str
    far: tuple[str, int]
    """Switch and port number of the other end."""
    gbps: int


@dataclass(frozen=True)
class Wiring:
    """What the plan says beyond the cables of one node."""

    transports: Mapping[str, str] = field(default_factory=dict)
    """Fabric -> infiniband, roce, ethernet, nvlink."""
    trunks: Mapping[tuple[str, int], Trunk] = field(default_factory=dict)
    """InfiniBand cables between switches: (switch, port number) -> the cable, from both ends."""
    plugs: Mapping[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    """Who belongs on an Ethernet switch port: (switch, port name) -> (device, its port)."""
    parts: Mapping[str, Cable] = field(default_factory=dict)
    """Cable SKUs in use, by id."""
    managers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """InfiniBand fabric -> machines of the design that manage its subnet."""
    partitions: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """(InfiniBand fabric, pool or "" for every pool) -> declared P_Key, 15 bits."""
