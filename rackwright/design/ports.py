"""The ports of a part in one fixed order, by which cables refer to them before they have names."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rackwright.model.sku import PortGroup, Server, Switch

Ints = NDArray[np.int32]
MANAGEMENT_GBPS = 1
MANAGEMENT_FORM = "RJ45"
"""Management ports of switches are gigabit Ethernet over copper (hardware manuals of the SN and QM series)."""


@dataclass(frozen=True)
class DevicePort:
    """One port. `number` counts from 1 on its device within its role; `rail` is -1 where it has none."""

    name: str
    gbps: int
    number: int
    role: str
    """Fabric role of a server's port; ``down``, ``up`` or ``management`` of a switch's."""
    rail: int = -1
    cage: int = -1
    """Cage, from 0, which is one transceiver."""
    form: str = ""
    """Of its cage (``OSFP``, ``RJ45``); empty where nothing is known."""


@dataclass(frozen=True, eq=False)
class PortList:
    """All ports of a device."""

    ports: tuple[DevicePort, ...]

    @cached_property
    def cages(self) -> Ints:
        """Cage of every port, -1 where there is none."""
        return np.array([port.cage for port in self.ports], dtype=np.int32)

    @cached_property
    def numbers(self) -> Ints:
        """Number of every port."""
        return np.array([port.number for port in self.ports], dtype=np.int32)

    def of_role(self, role: str) -> list[int]:
        """Indices of the ports of one role."""
        return self._by_role.get(role, [])

    @cached_property
    def _by_role(self) -> dict[str, list[int]]:
        indices: dict[str, list[int]] = {}
        for index, port in enumerate(self.ports):
            indices.setdefault(port.role, []).append(index)
        return indices

    def index(self, name: str) -> int:
        """Index of the port called `name`; ValueError when there is none."""
        return [port.name for port in self.ports].index(name)


@dataclass(frozen=True)
class ScaleUp:
    """Links of every accelerator of a node that leave it for switches of their own."""

    links: int
    gbps: int


def of_server(server: Server, scale_up: ScaleUp | None = None) -> PortList:
    """The ports of `server` in the order of its SKU.

    With `scale_up` the links of its accelerators follow, accelerator by accelerator, as ports of role ``nvlink``.
    """
    return PortList((*_server_ports(server), *(_accelerator_ports(server, scale_up) if scale_up else ())))


def _accelerator_ports(server: Server, scale_up: ScaleUp) -> Iterator[DevicePort]:
    for accelerator in range(server.accelerators):
        for link in range(scale_up.links):
            number = accelerator * scale_up.links + link + 1
            yield DevicePort(f"nvlink{accelerator}-{link}", scale_up.gbps, number, "nvlink")


def _server_ports(server: Server) -> Iterator[DevicePort]:
    cages = 0
    for group in server.ports:
        for at, name in enumerate(group.names):
            rail = at // group.per_rail if group.role == "compute" else -1
            yield DevicePort(name, group.gbps, at + 1, group.role, rail, cages + at // group.per_cage, group.form)
        cages += -(-len(group.names) // group.per_cage)


def of_switch(switch: Switch, runs: Sequence[tuple[int, int]] = (), up_lanes: int = 1) -> PortList:
    """The ports of `switch`: host and fabric ports, then those that only lead upwards, then its management port.

    `runs` says for the first ports how many are split into how many lanes; ports after the last run are whole. Each port that only leads upwards
    is split into `up_lanes`.
    """
    return PortList(tuple(_switch_ports(switch, runs, up_lanes)))


def _switch_ports(switch: Switch, runs: Sequence[tuple[int, int]], up_lanes: int) -> Iterator[DevicePort]:
    lanes = [split for count, split in runs for _ in range(count)][: switch.ports.count]
    lanes += [1] * (switch.ports.count - len(lanes))
    numbers = itertools.count(1)
    yield from _group_ports(switch, switch.ports, lanes, "down", numbers, cages=0, first=1)
    if switch.uplinks:
        cages = -(-switch.ports.count // switch.ports.per_cage)
        split = [up_lanes] * switch.uplinks.count
        yield from _group_ports(switch, switch.uplinks, split, "up", numbers, cages, first=switch.ports.count + 1)
    if switch.management_port:
        yield DevicePort(switch.management_port, MANAGEMENT_GBPS, next(numbers), "management", form=MANAGEMENT_FORM)


def _group_ports(
    switch: Switch, group: PortGroup, lanes: Sequence[int], role: str, numbers: Iterator[int], cages: int, first: int
) -> Iterator[DevicePort]:
    """The ports of one group, which stands behind `cages` cages and whose first port is numbered `first` by the switch."""
    for at, split in enumerate(lanes):
        cage = cages + at // group.per_cage
        for lane in range(split):
            name = switch.lane_name(first + at, lane, split)
            yield DevicePort(name, group.gbps // split, next(numbers), role, cage=cage, form=group.form)
