"""The result of every topology: switches, wires as columns, and the free host ports.

Devices are numbered over the whole site (`Roster`), ports by their index in the device's `PortList`; names are added last, when the tables are
filled. So a site with millions of cables is a few arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rackwright.base.errors import Problem, ProblemsError
from rackwright.design import naming
from rackwright.design.ports import Ints, PortList
from rackwright.model.fabric import Fabric
from rackwright.model.lanes import INFINIBAND_PORTS
from rackwright.model.sku import Server, Switch

Bools = NDArray[np.bool_]
UNSET = -1
"""Rail or plane of a wire without one."""
SHARED = "site"
"""Stands for a pool in the names of management switches that all pools share, as in the names of their racks."""


class UnconnectedError(ProblemsError):
    """A fabric that its topology cannot connect as declared; alternatives are searched from it."""


@dataclass(frozen=True)
class Roster:
    """All devices of the site, machines first; a device is its index in these lists."""

    names: list[str] = field(default_factory=list)
    parts: list[Server | Switch] = field(default_factory=list)
    ports: list[PortList] = field(default_factory=list)

    def add(self, name: str, part: Server | Switch, ports: PortList) -> int:
        """Adds a device and returns its number."""
        self.names.append(name)
        self.parts.append(part)
        self.ports.append(ports)
        return len(self.names) - 1


@dataclass(frozen=True)
class FabricSwitch:
    """One switch of a fabric."""

    name: str
    tier: str
    """leaf, spine, core, management, nvswitch."""
    pool: str
    unit: int
    """Scalable unit whose rack row it stands in; 0 for shared switches."""
    index: int
    """From 1, within fabric, plane and tier, and within the pool where switches belong to one."""
    id: int
    """Number in the roster."""
    part: Switch
    plane: int = UNSET
    rail: int = UNSET
    rack: int = UNSET
    """Rack of the unit, from 0, for switches in the nodes' own racks; else -1."""
    present: bool = True
    """False for a switch of a reserved rack, whose number and place are kept for it."""


@dataclass(frozen=True)
class Wires:
    """Cables of one kind, before length and part are known: device and port index of both ends, `a` nearer to the node."""

    kind: str
    """node_leaf, leaf_spine, spine_core, isl, global, uplink, nvlink."""
    gbps: int
    a: Ints
    a_port: Ints
    b: Ints
    b_port: Ints
    present: Bools | None = None
    """False for the cable of a slot without a node; None when all are present."""
    rail: Ints | None = None
    plane: int = UNSET

    def __len__(self) -> int:
        return len(self.a)

    @cached_property
    def there(self) -> Bools:
        """`present` as an array, all true if it is None."""
        return np.ones(len(self), dtype=np.bool_) if self.present is None else self.present


@dataclass
class Network:
    """One fabric, wired."""

    fabric: Fabric
    path: str
    """Field path of the fabric in the site."""
    switch: Switch
    spine: Switch
    core: Switch
    roster: Roster
    members: list[FabricSwitch] = field(default_factory=list)
    wires: list[Wires] = field(default_factory=list)
    occupied: dict[int, Bools] = field(default_factory=dict)
    """Host ports in use or reserved, per switch that takes hosts."""
    slots: dict[int, Bools] = field(default_factory=dict)
    """Host ports that belong to a slot of a scalable unit, with or without a node."""
    managers: frozenset[int] = frozenset()
    """Subnet managers among the control servers: they send next to nothing, so uplinks are not sized for them."""
    quiet: dict[int, set[int]] = field(default_factory=dict)
    """Host ports of subnet managers, and those reserved for them, per leaf."""
    reserved: list[tuple[int, int, str]] = field(default_factory=list)
    """Leaf, port index and purpose of every reserved host port."""
    first_pool: str = ""
    """The pool whose switches are named after the fabric alone."""
    owner: Network | None = None
    """The network whose switches take the hosts of this one; None for one with switches of its own."""
    guests: list[Network] = field(default_factory=list)
    """Networks whose hosts are on the switches of this one."""
    guest_runs: tuple[tuple[int, int], ...] = ()
    """For every guest: how many ports of a leaf it has, after all others, and into how many lanes each of them is split."""
    guest_gbps: int = 0
    """Rate of all links of guests on the leaf that has most of them."""

    def add(
        self,
        tier: str,
        part: Switch,
        ports: PortList,
        *,
        pool: str = "",
        unit: int = 0,
        plane: int = UNSET,
        rail: int = UNSET,
        rack: int = UNSET,
        present: bool = True,
    ) -> FabricSwitch:
        """Adds a switch with the next index of its tier (within plane and rail, where these are fabrics of their own).

        Switches count per pool and bear its name, except for the first pool: a growing pool renames nothing of the others.
        """
        key = (tier, plane, rail if self.fabric.rail_planes else UNSET, pool)
        index = self._counts[key] = self._counts.get(key, 0) + 1
        fabric = self.fabric.name if pool in ("", self.first_pool) else f"{self.fabric.name}-{pool}"
        name = naming.switch(fabric, tier, index, key[1], key[2])
        number = self.roster.add(name, part, ports)
        owner = "" if pool == SHARED else pool
        member = FabricSwitch(name, tier, owner, unit, index, number, part, plane, rail, rack, present)
        self.members.append(member)
        return member

    @cached_property
    def _counts(self) -> dict[tuple[str, int, int, str], int]:
        return {}

    def hosting(self) -> list[FabricSwitch]:
        """The switches that take hosts: leaves, or the two of a collapsed core."""
        members = self.owner.members if self.owner else self.members
        return [member for member in members if member.id in self.occupied]

    def take(self, leaf: int) -> int | None:
        """Occupies the highest free host port of a leaf and returns it; None when the leaf is full.

        On InfiniBand one that has a number, as long as there is such a port.
        """
        free = np.flatnonzero(~self.occupied[leaf])
        if not len(free):
            return None
        numbered = free[free < INFINIBAND_PORTS] if self.fabric.transport == "infiniband" else free
        port = int(numbered[-1] if len(numbered) else free[-1])
        self.occupied[leaf][port] = True
        return port

    def fullest(self, leaves: Sequence[FabricSwitch], managers: bool = True) -> int:
        """Host ports needed on the fullest of `leaves`: slots, present or not, control servers and reserved ports.

        `managers`: include those of subnet managers beside the slots.
        """
        return max((self._ports_needed(leaf.id, managers) for leaf in leaves), default=0)

    def _ports_needed(self, leaf: int, managers: bool) -> int:
        ports_in_use = self.occupied[leaf]
        if not managers and leaf in self.quiet:
            ports_in_use = ports_in_use.copy()
            ports_in_use[list(self.quiet[leaf])] = False
        return int((ports_in_use | self.slots[leaf]).sum())

    def count(self, tier: str) -> int:
        """Switches of one tier."""
        return sum(member.tier == tier for member in self.members)

    def of_tier(self, tier: str) -> list[FabricSwitch]:
        """The switches of one tier."""
        return [member for member in self.members if member.tier == tier]

    def wire(self, kind: str, gbps: int, ends: Sequence[tuple[int, int, int, int]], plane: int = UNSET) -> None:
        """Adds a few cables, each as device and port of one end and of the other."""
        columns = np.array(ends, dtype=np.int32).reshape(-1, 4).T
        a, a_port, b, b_port = columns
        self.wires.append(Wires(kind, gbps, a, a_port, b, b_port, plane=plane))

    def refuse(self, message: str, expected: str, actual: str, next_step: str, where: str = "") -> ProblemsError:
        """The error for a fabric that cannot be built as declared."""
        return ProblemsError([self._problem(message, expected, actual, next_step, where)])

    def unconnected(self, message: str, expected: str, actual: str, next_step: str) -> UnconnectedError:
        """The error for a fabric whose switches cannot all be joined as declared."""
        return UnconnectedError([self._problem(message, expected, actual, next_step, "")])

    def _problem(self, message: str, expected: str, actual: str, next_step: str, where: str) -> Problem:
        return Problem("site", where or self.path, message, expected, actual, next_step, "design.port_budget")
