"""Cuts the hosts of a run into waves, and says when a wave went so badly that the next one does not begin. A run that fits one wave is
one: there the play itself sees to it that a controller runs before its nodes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

CONTROL, CANARY, ALL = "control", "canary", "all"
DEFAULT_SIZE = 64
"""Nodes of a wave: two scalable units of 32, the unit of the DGX SuperPOD reference architecture (RA-11333-001 V11, 2023)."""
CANARY_ABOVE = 32
"""A run over more nodes than one scalable unit starts with canaries, unless the operator chooses otherwise."""


@dataclass(frozen=True)
class NodePlace:
    """Where a node stands, as far as waves care."""

    node: str
    control: bool
    """It serves the site itself (scheduler, fabric manager), and runs no jobs."""
    pool: str
    sku: str
    rack: str
    scalable_unit: int


@dataclass(frozen=True)
class Wave:
    """Hosts that are played together."""

    name: str
    """``all``, ``control``, ``canary``, or the racks: ``train-r01 to train-r08``."""
    nodes: tuple[str, ...]


@dataclass(frozen=True)
class Tolerance:
    """How many hosts of a wave may fail before the run stops: a number, or a share of the wave (at least one host)."""

    hosts: int | None = None
    percent: float = 10.0

    def bears(self, bad: int, wave: Wave) -> bool:
        """Whether the next wave may begin. No canary may fail: that is what they are for."""
        if wave.name == CANARY:
            return bad == 0
        if wave.name == CONTROL:
            return (
                True  # a lost controller must not keep the nodes from what they can have; they fail where they need it
            )
        allowed = self.hosts if self.hosts is not None else max(1, math.floor(len(wave.nodes) * self.percent / 100))
        return bad <= allowed


def waves(
    places: Sequence[NodePlace], size: int | None = DEFAULT_SIZE, *, canary: bool | None = None, apart: bool = False
) -> list[Wave]:
    """The waves of a run over `places`, in the order in which they are played.

    `size` bounds the nodes of a wave (None: all in one); `canary` None means: when there are more than `CANARY_ABOVE` nodes.
    `apart`: control servers are a wave of their own in a small run, too.
    """
    control = [place.node for place in places if place.control]
    nodes = sorted((place for place in places if not place.control), key=lambda place: place.scalable_unit)
    with_canary = len(nodes) > CANARY_ABOVE if canary is None else canary
    first = _canaries(nodes) if with_canary else []
    later = [place for place in nodes if place not in first]
    if not first and len(later) <= (size or len(later)) and not (apart and control and later):
        return [Wave(ALL, tuple(place.node for place in places))] if places else []
    waves_in_order = [Wave(CONTROL, tuple(control)), Wave(CANARY, tuple(place.node for place in first))]
    waves_in_order += [_wave(part) for part in _packed_batches(later, size or max(1, len(later)))]
    return [wave for wave in waves_in_order if wave.nodes]


def _canaries(nodes: Sequence[NodePlace]) -> list[NodePlace]:
    """The first node of every pool and server SKU: what fails on one of them fails on all."""
    first: dict[tuple[str, str], NodePlace] = {}
    for place in nodes:
        first.setdefault((place.pool, place.sku), place)
    return list(first.values())


def _packed_batches(nodes: Sequence[NodePlace], size: int) -> Iterator[list[NodePlace]]:
    """Whole scalable units while they fit; a unit that is too large is cut between racks, a rack only when it must be."""
    wave: list[NodePlace] = []
    for block in _blocks(nodes, size):
        if wave and len(wave) + len(block) > size:
            yield wave
            wave = []
        wave = wave + block
    if wave:
        yield wave


def _blocks(nodes: Sequence[NodePlace], size: int) -> Iterator[list[NodePlace]]:
    for _, members in groupby(nodes, key=lambda place: place.scalable_unit):
        unit = list(members)
        if len(unit) <= size:
            yield unit
            continue
        for _, rack in groupby(sorted(unit, key=lambda place: place.rack), key=lambda place: place.rack):
            standing = list(rack)
            yield from (standing[start : start + size] for start in range(0, len(standing), size))


def _wave(members: Sequence[NodePlace]) -> Wave:
    racks = list(dict.fromkeys(place.rack for place in members))
    name = racks[0] if len(racks) == 1 else f"{racks[0]} to {racks[-1]}"
    return Wave(name, tuple(place.node for place in members))
