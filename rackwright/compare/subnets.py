"""The cables between switches: compares a subnet with the plan."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

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
SWITCH_ENDS = {"device": pl.String(), "number": pl.Int32()}
"""Columns of a table of ends at switches: switch and port number."""
Slow = tuple[str, str, float | None, int]
"""Planned end in words, its printed speed, the Gb/s of that speed if known, planned Gb/s."""
LATEST = 8
"""Number of subnets that are cached with the plan: as many as one machine manages."""
PLACE = pl.format("cable {} at {} port {}", "cable", "switch", "number").alias("place")
"""A planned end between switches in words, for a row of `Wiring.switch_ports`."""


@dataclass(frozen=True)
class Trunk:
    """One planned cable between two switches, seen from one of them."""

    cable: str
    far: End


@dataclass(frozen=True, eq=False)
class ShownEnds:
    """The ends at switches that a subnet shows, matched with the plan."""

    ends: SwitchEnds
    switch: Numbers
    """Number of the switch in the plan; -1 if the plan does not have it."""
    place: Numbers
    """Place of the port (see `Places`); -1 if no switch of the plan has it."""
    far: Numbers
    """Place of the switch port at the other end; -1 if the plan has none."""

    @property
    def trunks(self) -> Numbers:
        """Indices of ends that the plan has and whose other end is a switch."""
        return np.flatnonzero((self.ends.far >= 0) & (self.place >= 0))

    def end(self, row: int) -> End:
        """The switch port at the other end, by the name that the switch reports."""
        return switch_name(self.ends.names[self.ends.far[row]]), int(self.ends.far_port[row])


def shown_ends(expectation: Expectation, subnet: Subnet) -> ShownEnds:
    """The ends at switches that `subnet` shows."""
    return _shown_ends(expectation.wiring.places, subnet.links.switch_ends)


@lru_cache(maxsize=LATEST)
def _shown_ends(plan: Places, ends: SwitchEnds) -> ShownEnds:
    """As `shown_ends`, cached for all checks of a subnet.

    Arguments are compared by identity: plan and table create them once.
    """
    numbers = np.array([*(plan.switches.get(switch_name(name), -1) for name in ends.names), -1], dtype=np.int64)
    switch, far_switch = numbers[ends.near], numbers[ends.far]  # an end without a far switch is -1: the last element
    return ShownEnds(ends, switch, _places(plan, switch, ends.port), _places(plan, far_switch, ends.far_port))


def _places(plan: Places, switch: Numbers, port: Numbers) -> Numbers:
    return np.where((switch >= 0) & (port < plan.width), switch * plan.width + port, -1)


def planned_ends(expectation: Expectation, subnet_ends: ShownEnds) -> Numbers:
    """Planned ends, as rows of `Wiring.switch_ports`, of cables between switches of which the subnet shows at least
    one.

    Cables of other planes belong to other subnets.
    """
    plan = expectation.wiring.places
    present = np.zeros(len(plan.switches), dtype=np.bool_)
    present[subnet_ends.switch[subnet_ends.switch >= 0]] = True
    trunks = np.flatnonzero(plan.far >= 0)
    return trunks[present[plan.near[trunks] // plan.width] | present[plan.far[trunks] // plan.width]]


def count_cables(expectation: Expectation, rows: Sequence[Numbers]) -> int:
    """Number of cables that end at the planned ends `rows`."""
    ports = expectation.wiring.switch_ports
    return ports["cable"].gather(_distinct_rows(rows, ports.height)).n_unique()


def end_names(expectation: Expectation, rows: Numbers) -> list[str]:
    """Planned ends between switches in words."""
    return expectation.wiring.switch_ports[rows].select(PLACE).to_series().to_list()


def _distinct_rows(rows: Sequence[Numbers], height: int) -> Numbers:
    """The distinct rows of a table of `height` rows, in the order of their first occurrence."""
    all_rows = np.concatenate([*rows, np.empty(0, dtype=np.int64)])
    first = np.full(height, -1, dtype=np.int64)
    first[all_rows[::-1]] = np.arange(len(all_rows))[::-1]
    return all_rows[np.sort(first[first >= 0])]


def misplaced_ends(expectation: Expectation, subnet_ends: ShownEnds) -> tuple[dict[End, Trunk], dict[End, End]]:
    """Planned ends that are wrong or missing, and the ends that are found there and where the cables belong."""
    plan = expectation.wiring.places
    end_at = np.full(len(plan.row), -1, dtype=np.int64)  # by place: its end; the last of several
    end_at[subnet_ends.place[subnet_ends.trunks]] = subnet_ends.trunks
    rows = planned_ends(expectation, subnet_ends)
    present = end_at[plan.near[rows]]
    wrong = rows[(present < 0) | (subnet_ends.far[present] != plan.far[rows])]
    ports = expectation.wiring.switch_ports.select("switch", "number", "cable", "far_switch", "far_number")
    trunks = {(row[0], row[1]): Trunk(row[2], (row[3], row[4])) for row in ports[wrong].iter_rows()}
    ends = [*trunks, *(end.far for end in trunks.values())]
    places = np.concatenate([plan.near[wrong], plan.far[wrong]])
    return trunks, {end: subnet_ends.end(row) for end, row in zip(ends, end_at[places], strict=True) if row >= 0}


def known_as(subnet: Subnet, guids: Collection[str]) -> LinkTable:
    """The ends with one of `guids`."""
    return LinkTable(subnet.links.frame.filter(pl.col("guid").is_in(list(guids))))


def rate_ends(
    expectation: Expectation, subnets: Iterable[Subnet], rate: Callable[[str], float | None]
) -> tuple[Numbers, list[Slow]]:
    """Planned ends between switches that are connected: fast ones as rows of `Wiring.switch_ports`, each once; slower
    ones as `Slow`.

    Slower ends are listed as often as subnets show them. `rate` returns the Gb/s of a printed speed, None for an
    unknown one.
    """
    results = [_rated(expectation, subnet, rate) for subnet in subnets]
    height = expectation.wiring.switch_ports.height
    return _distinct_rows([good for good, _ in results], height), [slow_end for _, slow in results for slow_end in slow]


def _rated(expectation: Expectation, subnet: Subnet, rate: Callable[[str], float | None]) -> tuple[Numbers, list[Slow]]:
    plan, ports, subnet_ends = (
        expectation.wiring.places,
        expectation.wiring.switch_ports,
        shown_ends(expectation, subnet),
    )
    row = plan.row[subnet_ends.place[subnet_ends.trunks]]
    is_planned = (row >= 0) & (plan.far[row] >= 0)
    row, shown_in = row[is_planned], subnet_ends.ends.rows[subnet_ends.trunks[is_planned]]
    speed = subnet.links.frame["speed"].gather(shown_in)
    rates = speed.replace_strict({printed: rate(printed) for printed in speed.unique()}, return_dtype=pl.Float64)
    gbps_read = rates.cast(pl.Float64)  # without any speeds, `replace_strict` keeps their type
    good = (gbps_read >= ports["gbps"].gather(row)).fill_null(False)
    slow = ports[row].with_columns(speed, gbps_read.alias("found")).filter(~good)
    return row[good.to_numpy()], slow.select(PLACE, "speed", "found", "gbps").rows()


def unplanned_switches(
    expectation: Expectation, subnet: Subnet
) -> tuple[list[tuple[str, str]], list[tuple[str, str, int]]]:
    """Switches that the plan does not have, by description and GUID; and cables in ports planned to be free:
    description, switch, port number.
    """
    plan, subnet_ends, table = expectation.wiring.places, shown_ends(expectation, subnet), subnet.links.frame
    unknown = np.flatnonzero(subnet_ends.switch < 0)
    free = np.flatnonzero((subnet_ends.switch >= 0) & (plan.row[subnet_ends.place] < 0))
    names = [switch_name(subnet_ends.ends.names[place]) for place in subnet_ends.ends.near[free]]
    far = table["remote_name"].gather(subnet_ends.ends.rows[free])
    unknown_switches = table[subnet_ends.ends.rows[unknown]].select("name", "guid").unique(maintain_order=True)
    return unknown_switches.rows(), list(zip(far, names, subnet_ends.ends.port[free].tolist(), strict=True))


def switch_ends(subnets: Iterable[Subnet]) -> pl.DataFrame:
    """Every switch port that has another switch behind it in one of the subnets: columns `SWITCH_ENDS`."""
    tables = [_ends_between_switches(subnet.links.switch_ends) for subnet in subnets]
    return pl.concat([pl.DataFrame(schema=SWITCH_ENDS), *tables])


def _ends_between_switches(switch_ends: SwitchEnds) -> pl.DataFrame:
    names = pl.Series([switch_name(name) for name in switch_ends.names], dtype=pl.String)
    trunks = switch_ends.far >= 0
    ends = {"device": names.gather(switch_ends.near[trunks]), "number": switch_ends.port[trunks]}
    return pl.DataFrame(ends, schema_overrides=SWITCH_ENDS)
