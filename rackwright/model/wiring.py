"""The cable plan of a site as checks of the network read it: one record for all nodes, built by `rackwright.judge.expect`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rackwright.model.port_spellings import PortSpellings
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


Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Places:
    """The planned switch ports as integers, one for each pair of switch and port: lookups need no comparison of names."""

    switches: Mapping[str, int]
    """InfiniBand switches of the plan, counted from 0."""
    width: int
    """The place of a port is the number of its switch times `width` and the number of the port, which is less."""
    row: Numbers
    """By place: row of the port in `Wiring.switch_ports`; -1 if it is planned to be free. The last element stands for "no port" and is -1."""
    near: Numbers
    """By row: the place of the port."""
    far: Numbers
    """By row: the place of the switch port at the other end of its cable; -1 for a machine."""


@dataclass(frozen=True, eq=False)
class Wiring:
    """The parts of the cable plan beyond the cables of one node."""

    transports: Mapping[str, str] = field(default_factory=dict)
    """Fabric -> infiniband, roce, ethernet, nvlink."""
    switch_ports: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=SWITCH_PORTS))
    """InfiniBand switch ports with a planned cable: `SWITCH_PORTS`; a table, because a large site has half a million of them."""
    switches: frozenset[str] = frozenset()
    """InfiniBand switches with a planned cable to a machine."""
    plugs: Mapping[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    """Who belongs on an Ethernet switch port: (switch, port name) -> (device, its port)."""
    spellings: PortSpellings | None = None
    """What switches call their ports, where that is not what the plan calls them."""
    parts: Mapping[str, Cable] = field(default_factory=dict)
    """Cable SKUs in use, by id."""
    managers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """InfiniBand fabric -> machines of the design that manage its subnet."""
    partitions: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """(InfiniBand fabric, pool or "" for every pool) -> declared P_Key, 15 bits."""

    def announced_port(self, system: str, port: str) -> tuple[str, str]:
        """(switch, port) in the words of the plan for a neighbour announced over LLDP; the switch in lower case and without its domain."""
        switch = system.split(".")[0].lower()
        if (switch, port) in self.plugs or self.spellings is None:
            return switch, port
        return switch, self.spellings.named(switch, port) or port

    @cached_property
    def places(self) -> Places:
        """`switch_ports` by place; built once, because every check of whole subnets needs them."""
        ports = self.switch_ports
        names = pl.concat([ports["switch"], ports["far_switch"]]).unique().drop_nulls().sort()
        columns = ports.select("number", pl.col("far_number").fill_null(0)).to_numpy().T
        number, far_number = columns.astype(np.int64)
        kind = pl.Enum(names)
        switch, far_switch = (
            ports[name].cast(kind).to_physical().cast(pl.Int64).fill_null(-1).to_numpy()
            for name in ("switch", "far_switch")
        )
        width = int(max(number.max(initial=0), far_number.max(initial=0))) + 1
        near, far = switch * width + number, np.where(far_switch >= 0, far_switch * width + far_number, -1)
        row = np.full(len(names) * width + 1, -1, dtype=np.int64)
        row[near] = np.arange(len(near))
        return Places({name: place for place, name in enumerate(names)}, width, row, near, far)
