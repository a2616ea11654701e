"""The cable plan of a site as checks of the network read it: one record for all nodes, turned round once.

In: nothing; `rackwright.judge.expect` fills it. Cut from `check` because no check of another domain reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

from rackwright.model.sku import Cable

SWITCH_PORTS = {
    "switch": pl.String,
    "number": pl.Int64,
    "cable": pl.String,
    "fabric": pl.String,
    "gbps": pl.Int64,
    "far_switch": pl.String,
    "far_number": pl.Int64,
}
"""Columns of `Wiring.switch_ports`. A cable between two switches stands there twice, from both ends; one to a machine has no far switch."""


@dataclass(frozen=True, eq=False)
class Wiring:
    """What the plan says beyond the cables of one node."""

    transports: Mapping[str, str] = field(default_factory=dict)
    """Fabric -> infiniband, roce, ethernet, nvlink."""
    switch_ports: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=SWITCH_PORTS))
    """InfiniBand switch ports with a planned cable: `SWITCH_PORTS`; a table, because a large site has half a million of them."""
    switches: frozenset[str] = frozenset()
    """InfiniBand switches with a planned cable to a machine."""
    plugs: Mapping[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    """Who belongs on an Ethernet switch port: (switch, port name) -> (device, its port)."""
    parts: Mapping[str, Cable] = field(default_factory=dict)
    """Cable SKUs in use, by id."""
    managers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """InfiniBand fabric -> machines of the design that manage its subnet."""
    partitions: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """(InfiniBand fabric, pool or "" for every pool) -> declared P_Key, 15 bits."""
