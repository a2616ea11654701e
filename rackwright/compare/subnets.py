"""The cables between switches: what a subnet shows of them beside the plan."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rackwright.compare.fabric import switch_name
from rackwright.model.check import Expectation
from rackwright.model.evidence.fabric import LinkTable, Subnet
from rackwright.model.evidence.link_table import SwitchEnds
from rackwright.model.wiring import Places

Numbers = NDArray[np.int64]
End = tuple[str, int]
"""Switch and port number."""
Slow = tuple[str, str, float | None, int]
"""Where a planned end is, its printed speed, the Gb/s of that if they are known, planned Gb/s."""
PLACE = pl.format("cable {} at {} port {}", "cable", "switch", "number").alias("place")
"""A planned end between switches in words, of a row of `Wiring.switch_ports`."""


@dataclass(frozen=True)
class Trunk:
    """One planned cable between two switches, seen from one of them."""

    cable: str
    far: End


@dataclass(frozen=True, eq=False)
class Shown:
    """The ends at switches of a subnet beside the plan."""

    ends: SwitchEnds
    switch: Numbers
    """Number of the switch in the plan; -1 for one that the plan does not have."""
    place: Numbers
    """Place of the port (see `Places`); -1 for one that no switch of the plan has."""
    far: Numbers
    """Place of the switch port at the other end; -1 where there is none of the plan."""

    @property
    def trunks(self) -> Numbers:
        """Those with another switch at the other end, whose place the plan has."""
        return np.flatnonzero((self.ends.far >= 0) & (self.place >= 0))

    def end(self, one: int) -> End:
        """The switch port at the other end, by the name that the switch gives itself."""
        return switch_name(self.ends.names[self.ends.far[one]]), int(self.ends.far_port[one])


def shown(expectation: Expectation, subnet: Subnet) -> Shown:
    """What `subnet` shows at switches."""
    plan, ends = expectation.wiring.places, subnet.links.switch_ends
    numbers = np.array([*(plan.switches.get(switch_name(name), -1) for name in ends.names), -1], dtype=np.int64)
    switch, far_switch = numbers[ends.near], numbers[ends.far]  # nothing at the other end is -1: the last one
    return Shown(ends, switch, _places(plan, switch, ends.port), _places(plan, far_switch, ends.far_port))


def _places(plan: Places, switch: Numbers, port: Numbers) -> Numbers:
    return np.where((switch >= 0) & (port < plan.width), switch * plan.width + port, -1)


def planned(expectation: Expectation, seen: Shown) -> Numbers:
    """Planned ends, as rows of `Wiring.switch_ports`, of the cables between switches of which the subnet shows at least one: another plane is not its
    matter."""
    plan = expectation.wiring.places
    there = np.zeros(len(plan.switches), dtype=np.bool_)
    there[seen.switch[seen.switch >= 0]] = True
    trunks = np.flatnonzero(plan.far >= 0)
    return trunks[there[plan.near[trunks] // plan.width] | there[plan.far[trunks] // plan.width]]


def cables(expectation: Expectation, rows: Sequence[Numbers]) -> int:
    """How many cables end at planned ends."""
    ports = expectation.wiring.switch_ports
    return ports["cable"].gather(_once(rows, ports.height)).n_unique()


def named(expectation: Expectation, rows: Numbers) -> list[str]:
    """Planned ends between switches in words."""
    return expectation.wiring.switch_ports[rows].select(PLACE).to_series().to_list()


def _once(rows: Sequence[Numbers], height: int) -> Numbers:
    """Each of several rows of a table of that height once, in the order in which they came first."""
    told = np.concatenate([*rows, np.empty(0, dtype=np.int64)])
    first = np.full(height, -1, dtype=np.int64)
    first[told[::-1]] = np.arange(len(told))[::-1]
    return told[np.sort(first[first >= 0])]


def misplaced(expectation: Expectation, seen: Shown) -> tuple[dict[End, Trunk], dict[End, End]]:
    """Planned ends that are not where they belong, and what is found at these ends and at those where they belong."""
    plan = expectation.wiring.places
    found = np.full(len(plan.row), -1, dtype=np.int64)  # by place: which end; of several with one place the last
    found[seen.place[seen.trunks]] = seen.trunks
    rows = planned(expectation, seen)
    there = found[plan.near[rows]]
    wrong = rows[(there < 0) | (seen.far[there] != plan.far[rows])]
    ports = expectation.wiring.switch_ports.select("switch", "number", "cable", "far_switch", "far_number")
    trunks = {(row[0], row[1]): Trunk(row[2], (row[3], row[4])) for row in ports[wrong].iter_rows()}
    ends = [*trunks, *(one.far for one in trunks.values())]
    places = np.concatenate([plan.near[wrong], plan.far[wrong]])
    return trunks, {end: seen.end(one) for end, one in zip(ends, found[places], strict=True) if one >= 0}


def known_as(subnet: Subnet, guids: Collection[str]) -> LinkTable:
    """The ends that bear one of `guids`."""
    return LinkTable(subnet.links.frame.filter(pl.col("guid").is_in(list(guids))))


def rated(
    expectation: Expectation, subnets: Iterable[Subnet], rate: Callable[[str], float | None]
) -> tuple[Numbers, list[Slow]]:
    """Planned ends between switches that are connected: those at least as fast as planned, as rows of `Wiring.switch_ports`, each once; and the others,
    as often as they are shown. `rate` gives the Gb/s of a printed speed, None for one that it does not know."""
    found = [_rated(expectation, subnet, rate) for subnet in subnets]
    height = expectation.wiring.switch_ports.height
    return _once([good for good, _ in found], height), [one for _, slow in found for one in slow]


def _rated(expectation: Expectation, subnet: Subnet, rate: Callable[[str], float | None]) -> tuple[Numbers, list[Slow]]:
    plan, ports, seen = expectation.wiring.places, expectation.wiring.switch_ports, shown(expectation, subnet)
    row = plan.row[seen.place[seen.trunks]]
    is_planned = (row >= 0) & (plan.far[row] >= 0)
    row, shown_in = row[is_planned], seen.ends.rows[seen.trunks[is_planned]]
    speed = subnet.links.frame["speed"].gather(shown_in)
    told = speed.replace_strict({one: rate(one) for one in speed.unique()}, return_dtype=pl.Float64)
    found = told.cast(pl.Float64)  # of no speeds, `told` has kept their type
    good = (found >= ports["gbps"].gather(row)).fill_null(False)
    slow = ports[row].with_columns(speed, found.alias("found")).filter(~good)
    return row[good.to_numpy()], slow.select(PLACE, "speed", "found", "gbps").rows()


def strangers(expectation: Expectation, subnet: Subnet) -> tuple[list[tuple[str, str]], list[tuple[str, str, int]]]:
    """Switches that are not of the plan, by description and GUID; and what is in ports planned to be free: description, switch, port number."""
    plan, seen, table = expectation.wiring.places, shown(expectation, subnet), subnet.links.frame
    unknown = np.flatnonzero(seen.switch < 0)
    free = np.flatnonzero((seen.switch >= 0) & (plan.row[seen.place] < 0))
    names = [switch_name(seen.ends.names[place]) for place in seen.ends.near[free]]
    far = table["remote_name"].gather(seen.ends.rows[free])
    named = table[seen.ends.rows[unknown]].select("name", "guid").unique(maintain_order=True)
    return named.rows(), list(zip(far, names, seen.ends.port[free].tolist(), strict=True))


def ends(shown: Mapping[str, Subnet]) -> set[End]:
    """Every switch port that has another switch behind it in one of the subnets."""
    return {end for subnet in shown.values() for end in _between(subnet.links.switch_ends)}


def _between(shown: SwitchEnds) -> Iterator[End]:
    names = [switch_name(name) for name in shown.names]
    trunks = shown.far >= 0
    return zip(map(names.__getitem__, shown.near[trunks].tolist()), shown.port[trunks].tolist(), strict=True)
