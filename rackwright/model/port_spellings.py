"""What others call the ports of the design: the same port in the words of each network operating system, and as vendors shorten them.

Vendors' lists, NetBox, MAC tables and LLDP use them: SONiC announces the alias (sonic-net/sonic-buildimage, dockers/docker-lldp/lldpmgrd:
``lldp portidsubtype local ALIAS``), the others the name of the interface.

Names: Cumulus Linux ``swp1s0`` (NVIDIA, Cumulus Linux 5.13, Switch Port Attributes), SONiC ``Ethernet0`` and its alias ``etp1a``
(sonic-net/sonic-buildimage, device/mellanox/x86_64-nvidia_sn5600-r0/platform.json), Arista EOS ``Ethernet1/5`` by the first lane (EOS user
manual, Ethernet ports), NVIDIA Onyx and Cisco NX-OS ``Eth1/1/1`` by module, port and lane (Cisco, Nexus 9000 Interfaces Configuration Guide,
breakout). A SKU's own systems come first: where two systems mean two ports by one name, the name is theirs.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property

import polars as pl

from rackwright.model.design import Design
from rackwright.model.sku import Switch, SwitchSystem

Place = tuple[int, int]
"""Number of a port, from 1, and lane in it, from 0."""
CAGE_LANES = (8, 4)
"""Lanes of the cages in use: OSFP and QSFP-DD, and QSFP."""
ETHERNET = re.compile(r"(?:ethernet|eth|et)[ _-]?(?=\d)")
LETTERS = "abcdefgh"


def key(spelling: str) -> str:
    """`spelling` without irrelevant differences: letter case, surrounding blanks, abbreviations of Ethernet."""
    return ETHERNET.sub("ethernet", spelling.strip().lower())


class PortNumbers:
    """Number and lane of every port of one SKU, by the name of the port in the design."""

    def __init__(self, part: Switch) -> None:
        count = part.ports.count + (part.uplinks.count if part.uplinks else 0)
        splits = sorted({*part.ports.breakouts, *(part.uplinks.breakouts if part.uplinks else [])})
        self._lanes = [
            (number, [part.lane_name(number, lane, ways) for lane in range(ways)])
            for number in range(1, count + 1)
            for ways in reversed(splits)
        ]

    def places(self, labels: Collection[str]) -> dict[str, tuple[int, int]]:
        """Label -> (number from 1, lane from 0); `labels` must be all ports of one switch.

        All are needed because only the number of names shows how often a port is split: Arista EOS gives the first half the name of the first
        quarter.
        """
        unplaced, places = set(labels), dict.fromkeys(labels, (0, 0))
        for number, names in self._lanes:
            if unplaced.issuperset(names):
                places |= {name: (number, lane) for lane, name in enumerate(names)}
                unplaced -= set(names)
        return places


def port_ways(places: Mapping[str, Place]) -> Counter[int]:
    """Port number -> number of ports it is split into."""
    return Counter(number for number, _ in places.values())


def system_name(system: SwitchSystem, part: Switch, label: str, place: tuple[int, int], ways: int) -> str:
    """Name that `system` gives to the port of `part` that is called `label` in the design."""
    pattern = system.split_port_name if ways > 1 and system.split_port_name else system.port_name
    if not pattern:
        return label
    number, lane = place
    first = lane * (system.lanes // ways)
    cage, at = divmod(number - 1, part.ports.per_cage)
    serial = (number - 1) * system.lanes + first
    return pattern.format(number=number, lane=first + 1, serial=serial, cage=cage + 1, place=at + 1)


class PortSpellings:
    """The ports of the switches of a design by any of their names; nothing is computed before the first unknown name."""

    def __init__(self, design: Design) -> None:
        self._design = design
        self._names: dict[str, Mapping[str, str]] = {}

    @cached_property
    def _parts(self) -> dict[str, Switch]:
        switches = self._design.switches
        return {
            device: switches[sku]
            for device, sku, kind in _rows(self._design.devices, "device", "sku", "kind")
            if kind == "switch"
        }

    @cached_property
    def _devices(self) -> dict[str, str]:
        return {device.lower(): device for device in self._parts}

    @cached_property
    def _ports(self) -> dict[str, list[str]]:
        ports: dict[str, list[str]] = defaultdict(list)
        for device, port in _rows(self._design.ports, "device", "port"):
            if device in self._parts:
                ports[device].append(port)
        return ports

    def named(self, device: str, spelling: str) -> str | None:
        """Name in the design of the port of a switch that is called `spelling`; None if no port or more than one has that name.

        For other devices `spelling` is returned as it is.
        """
        name = self._devices.get(device.strip().lower())
        if name is None:
            return spelling
        if name not in self._names:
            self._names[name] = names(self._parts[name], self._ports.get(name, []))
        return self._names[name].get(key(spelling))

    def example(self, device: str) -> str:
        """The first two ports of a switch, as an example of names for a message."""
        return ", ".join(self._ports[self._devices[device.strip().lower()]][:2])


def _rows(table: pl.DataFrame, *columns: str) -> Iterator[tuple[str, ...]]:
    """The rows of some columns of a table.

    Read column by column: a filter of Polars needs threads, and a forked process that judges nodes has none and would wait forever.
    """
    return zip(*(table[column].to_list() for column in columns), strict=True)


def names(part: Switch, ports: list[str]) -> Mapping[str, str]:
    """Key of a spelling -> the port of `ports` that it means; ambiguous spellings are left out."""
    by_key = {key(port): port for port in ports}
    if part.transport != "ethernet":
        return by_key
    numbers = PortNumbers(part)
    places = numbers.places([port for port in ports if port != part.management_port])
    ways = port_ways(places)
    for spellings in (_of_systems, _of_others):
        meant: dict[str, set[str]] = defaultdict(set)
        for port, place in places.items():
            for spelling in spellings(part, port, place, ways[place[0]]):
                meant[key(spelling)].add(port)
        for spelling, meanings in meant.items():
            if len(meanings) == 1 and spelling not in by_key:
                by_key[spelling] = next(iter(meanings))
    return by_key


def _of_systems(part: Switch, port: str, place: Place, ways: int) -> Iterator[str]:
    """Names in the systems that the SKU runs."""
    for system in part.systems:
        yield system_name(system, part, port, place, ways)


def _of_others(part: Switch, port: str, place: Place, ways: int) -> Iterator[str]:  # noqa: ARG001 - shaped as `_of_systems`
    """Names in other systems, and the abbreviations found in tables."""
    number, lane = place
    yield re.sub(r"^\D+(?=\d)", "", port)
    if ways == 1:
        yield from (
            f"swp{number}",
            f"etp{number}",
            f"ethernet1/{number}",
            f"1/{number}",
            f"ethernet{number}/1",
            f"{number}/1",
        )
        yield from (f"port {number}", f"p{number}", f"ethernet1/{number}/1", f"1/{number}/1")
        return
    yield from (
        f"swp{number}s{lane}",
        f"etp{number}{LETTERS[lane]}",
        f"ethernet1/{number}/{lane + 1}",
        f"1/{number}/{lane + 1}",
    )
    for lanes in CAGE_LANES:
        if ways <= lanes:
            yield f"ethernet{number}/{lane * (lanes // ways) + 1}"
