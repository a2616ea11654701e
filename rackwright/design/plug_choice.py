"""Which cable part every link gets: by the cages at both ends, the length of its run, and the other links in its cages.

Links that share a cage share its plug, so their parts are chosen together; everywhere else the shortest sufficient part is taken. Where
nothing fits, the nearest part is taken all the same, and a rule reports it: so the design is complete.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rackwright.catalog.plugs import fits_ends, links_per_plug
from rackwright.model.peripheral import Optic
from rackwright.model.sku import Cable

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Meters = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LinkEnds:
    """Links of one rate: the cage at each end, numbered over the site, and its form, numbered in `forms`."""

    cage: Ints
    """Away from the node."""
    node_cage: Ints
    form: Ints
    node_form: Ints
    forms: Sequence[str]
    meters: Meters

    @cached_property
    def in_cage(self) -> Ints:
        """Links in the cage of every link, itself included."""
        return _counts(self.cage)

    @cached_property
    def in_node_cage(self) -> Ints:
        """Links in the node-side cage of every link, itself included."""
        return _counts(self.node_cage)

    @cached_property
    def alone(self) -> bool:
        """Whether no two links share a cage."""
        return bool(self.in_cage.max(initial=1) == 1 and self.in_node_cage.max(initial=1) == 1)

    @cached_property
    def neighbours(self) -> tuple[Ints, Ints]:
        """By link: the number of node-side cages that its far cage leads to, and of far cages that its node-side cage leads to."""
        if self.alone:
            single = np.ones(len(self.cage), dtype=np.int64)
            return single, single
        width = int(self.node_cage.max(initial=0)) + 1
        pairs = np.unique(self.cage * width + self.node_cage)
        return _number_of(pairs // width, self.cage), _number_of(pairs % width, self.node_cage)


def choose_parts(ends: LinkEnds, parts: Sequence[Cable], optics: Mapping[str, Optic]) -> Ints:
    """Index in `parts` (in order of preference) of the part of every link."""
    reach = [part.max_meters >= np.nan_to_num(ends.meters, nan=np.inf) for part in parts]
    anywhere = [np.ones(len(ends.meters), dtype=np.bool_)] * len(parts)
    chosen = _settled(ends, parts, _fits(parts, ends, optics, reach))
    longest = sorted(range(len(parts)), key=lambda at: -parts[at].max_meters)
    orders = ((True, anywhere, longest), (False, reach, range(len(parts))), (False, anywhere, longest))
    for plugs, among, order in orders:
        rest = chosen < 0
        if not rest.any():
            break
        able = _fits(parts, ends, optics, among) if plugs else among
        again = _settled(ends, [parts[at] for at in order], [able[at] for at in order])
        chosen[rest] = np.where(again[rest] < 0, -1, np.asarray(order, dtype=np.int64)[again[rest]])
    return chosen


def _fits(
    parts: Sequence[Cable], ends: LinkEnds, optics: Mapping[str, Optic], among: Sequence[Bools]
) -> Sequence[Bools]:
    """By part: mask of the links of `among` whose cages its plugs fit, with no more links in each cage than the plug carries."""
    pairs = ends.form * len(ends.forms) + ends.node_form
    fit = []
    for part, candidates in zip(parts, among, strict=True):
        table = np.array([fits_ends(part, far, near) for far in ends.forms for near in ends.forms], dtype=np.bool_)
        most, most_near = links_per_plug(part, optics)
        able = candidates & table[pairs] & (ends.in_cage <= most) & (ends.in_node_cage <= most_near)
        if part.optic is None and not ends.alone and able.any():
            leads_to, near_leads_to = ends.neighbours
            able = able & (near_leads_to == 1) & (leads_to <= part.splits)
        fit.append(able)
    return fit


def _settled(ends: LinkEnds, parts: Sequence[Cable], able: Sequence[Bools]) -> Ints:
    """Index of the first able part of every link, with one kind of plug in every cage; -1 if no part is able."""
    plugs = list(dict.fromkeys(part.optic or part.sku for part in parts))
    bit = [plugs.index(part.optic or part.sku) for part in parts]
    mask = np.zeros(len(ends.cage), dtype=np.int64)
    for at, where in zip(bit, able, strict=True):
        mask |= where.astype(np.int64) << at
    if not ends.alone:
        mask = _common(mask, [_shared(ends.cage, ends.in_cage), _shared(ends.node_cage, ends.in_node_cage)])
    lowest = mask & -mask
    chosen = np.full(len(mask), -1, dtype=np.int64)
    for place in reversed(range(len(parts))):
        chosen[able[place] & (lowest == 1 << bit[place])] = place
    return chosen


def _common(mask: Ints, groups: Sequence[Callable[[Ints], Ints]]) -> Ints:
    """`mask` reduced to the bits that all links of a cage share, repeated over connected cages until nothing changes."""
    while True:
        before = mask
        for group in groups:
            mask = group(mask)
        if np.array_equal(before, mask):
            return mask


def _shared(cage: Ints, count: Ints) -> Callable[[Ints], Ints]:
    """A function that reduces the mask of every link to the bits shared by all links of its cage."""
    several = np.flatnonzero(count > 1)
    order = several[np.argsort(cage[several], kind="stable")]
    starts = np.flatnonzero(np.diff(cage[order], prepend=-1))
    sizes = np.diff(starts, append=len(order))

    def common(mask: Ints) -> Ints:
        if not len(order):
            return mask
        mask = mask.copy()
        mask[order] = np.repeat(np.bitwise_and.reduceat(mask[order], starts), sizes)
        return mask

    return common


def _counts(cage: Ints) -> Ints:
    return _number_of(cage, cage)


def _number_of(among: Ints, cage: Ints) -> Ints:
    """By `cage`: how often it occurs in `among`."""
    return np.asarray(np.bincount(among, minlength=int(cage.max(initial=0)) + 1)[cage], dtype=np.int64)
