"""What makes groups into a round of tests: the screens of everything, riders, and partners for a part that is tested alone.

In: groups, how probable each part is to be faulty. Out: groups of two parts or more, without a common part. Pure. Cut here because a test needs
more than the parts that it is about.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rackwright.isolate.belief import Floats

PAIR = 2
LIKELY = 0.5
"""A part that is more probably faulty than not is tested alone: its group would only say what is known."""


def complete(found: list[list[int]], suspects: Sequence[int], chance: Floats, largest: int) -> list[list[int]]:
    """`found` with the suspects that are in no group yet: likely ones alone, the others as riders.

    A rider is hardly in question: a good test clears it at no cost. Where no group can take them they are groups of their own.
    """
    taken = {part for group in found for part in group}
    alone = [[part] for part in suspects if part not in taken and chance[part] > LIKELY]
    rest = [part for part in suspects if part not in taken and chance[part] <= LIKELY]
    carriers = [list(group) for group in found if len(group) > 1]
    single = [list(group) for group in found if len(group) == 1]
    if not carriers:
        carriers = [rest[start : start + largest] for start in range(0, len(rest), largest)]
        rest = []
    for index, part in enumerate(rest):
        group = carriers[index % len(carriers)]
        if len(group) < largest:
            group.append(part)
    return [*carriers, *single, *alone]


def with_partners(
    found: Sequence[list[int]], partners: Sequence[int], met: Collection[frozenset[int]]
) -> list[list[int]]:
    """A part alone is tested with the first of `partners` with which it has not been a pair (`met`); without one it waits."""
    busy = {part for group in found for part in group}
    free = [part for part in partners if part not in busy]
    ready = []
    for group in found:
        if len(group) >= PAIR:
            ready.append(group)
            continue
        partner = next((part for part in free if frozenset({part, *group}) not in met), None)
        if partner is not None:
            free.remove(partner)
            ready.append([*group, partner])
    return ready


def _neighbours(parts: int, count: int) -> list[list[int]]:
    """Parts that stand together: what they share (a leaf, a loop) shows."""
    return [list(range(parts * one // count, parts * (one + 1) // count)) for one in range(count)]


def _far_apart(parts: int, count: int) -> list[list[int]]:
    """Every part with others than in the first screen."""
    return [list(range(one, parts, count)) for one in range(count)]


SCREENS = (_neighbours, _far_apart)
