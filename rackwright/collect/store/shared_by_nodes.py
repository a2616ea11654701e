"""What is read once for many nodes, laid out by node: subnets by port GUID, the scheduler's nodes by name, tests by member."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from rackwright.collect.collector import Collectors
from rackwright.collect.store.reading import Reading, Seen
from rackwright.model.evidence.fabric import FabricLink, FabricMap, LinkTable
from rackwright.model.evidence.scheduler import SchedulerNode

NONE = LinkTable.of([])


@dataclass(frozen=True)
class Subnets:
    """The InfiniBand subnets of a site, as one collector read them."""

    readings: Mapping[str, Reading]
    """By fabric: what the first of the machines that were asked could tell, else why the last one could not."""
    links: LinkTable
    """Those of adapters."""
    places: Mapping[str, int]
    """Where a port GUID stands in `links`; the last of those with the same."""

    def link(self, guid: str) -> FabricLink | None:
        """What the subnets show of a port; None where they do not."""
        place = self.places.get(guid)
        return None if place is None else self.links[place]


@dataclass(frozen=True)
class Scheduler:
    """The scheduler's word about all nodes."""

    machine: str
    reading: Reading
    nodes: Mapping[str, SchedulerNode]


@dataclass(frozen=True)
class Shared:
    """Everything that one machine was asked for others."""

    subnets: Mapping[str, Subnets]
    schedulers: Mapping[str, Scheduler]
    tests: Mapping[tuple[str, str], Sequence[Seen]]
    """By (node, collector): the tests over several nodes in which the node took part."""


def shared(seen: Iterable[Seen], collectors: Collectors) -> Shared:
    """The readings of `seen` that are about more than the machine that was asked."""
    subnets: dict[str, dict[str, Reading]] = {}
    schedulers: dict[str, Scheduler] = {}
    tests: dict[tuple[str, str], list[Seen]] = {}
    for one in seen:
        scope = collectors[one.collector].scope
        if scope == "subnet":
            found = subnets.setdefault(one.collector, {})
            if one.subject not in found or found[one.subject].value is None:
                found[one.subject] = _told(one)
        elif scope == "scheduler" and one.collector not in schedulers:
            known = {node.name: node for node in one.reading.value or ()}
            schedulers[one.collector] = Scheduler(one.machine, _told(one), known)
        elif scope == "group":
            for node in one.nodes:
                tests.setdefault((node, one.collector), []).append(one)
    return Shared({name: _subnets(found) for name, found in subnets.items()}, schedulers, tests)


def _told(one: Seen) -> Reading:
    """An error of a machine that was asked for others names it."""
    reading = one.reading
    return reading._replace(error=f"{one.machine}: {reading.error}") if reading.error else reading


def _subnets(readings: Mapping[str, Reading]) -> Subnets:
    maps = [reading.value.links.of_kind("Ca") for reading in readings.values() if reading.value is not None]
    shown = pl.concat([*maps, NONE.frame])
    places = {guid: place for place, guid in enumerate(shown["guid"])}
    return Subnets({name: _brief(one) for name, one in readings.items()}, LinkTable(shown), places)


def _brief(one: Reading) -> Reading:
    """A reading of a subnet without its links, of which a large site has a million: those of adapters were laid out."""
    return one if one.value is None else one._replace(value=FabricMap(links=NONE))
