"""Configurations as trees of settings, and what has to be set and removed so that one becomes the other. Pure."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Place = tuple[str, ...]
"""The names from the top to a setting. Where it has a value, the last is ``=`` and the value."""
Tree = Mapping[str, Any]
WORDS = {True: "on", False: "off", None: ""}
"""What YAML made of words of NVUE."""


@dataclass(frozen=True)
class TreeDifference:
    """What makes one tree of another."""

    added: tuple[Place, ...] = ()
    """Every setting that is missing or has another value, with its value."""
    removed: tuple[Place, ...] = ()
    """The uppermost names that are too many."""
    left_alone: tuple[Place, ...] = ()
    """Names that are too many, and that the design does not speak of."""

    def lines(self) -> tuple[str, ...]:
        """What goes and what comes, by place: ``- interface swp9``, ``+ interface swp1 link mtu 9216``."""
        marked = sorted([(place, "-") for place in self.removed] + [(place, "+") for place in self.added])
        return tuple(f"{mark} {' '.join(plain(place))}" for place, mark in marked)


def plain(place: Place) -> list[str]:
    """The names of `place` and its value, as they are typed."""
    return [name.removeprefix("=") if name is place[-1] else name for name in place]


def leaves(tree: Any, place: Place = ()) -> Iterator[Place]:
    """Every setting of `tree`; an empty mapping is a setting by its name alone, a list one value."""
    if isinstance(tree, Mapping):
        if not tree and place:
            yield place
        for name, value in tree.items():
            yield from leaves(value, (*place, str(name)))
    elif isinstance(tree, list):
        yield (*place, f"={','.join(map(str, tree))}")
    else:
        yield (*place, f"={WORDS[tree] if tree is None or isinstance(tree, bool) else tree}")


def difference(
    running: Sequence[Place], required: Sequence[Place], removable: Callable[[Place], bool]
) -> TreeDifference:
    """What has to be added to `running` and removed from it; what is not `removable` stays. Another value overwrites the one that is there."""
    there, meant = set(running), set(required)
    places = {place[:length] for place in meant for length in range(1, len(place) + 1)}
    removed: dict[Place, None] = {}
    left_alone: dict[Place, None] = {}
    for place in running:
        top = next((place[:length] for length in range(1, len(place) + 1) if place[:length] not in places), None)
        if top is not None and not top[-1].startswith("="):
            (removed if removable(top) else left_alone)[top] = None
    parents = {place[:length] for place in there for length in range(1, len(place))}
    added = tuple(place for place in required if place not in there and place not in parents)
    return TreeDifference(added, tuple(removed), tuple(left_alone))


def picked(tree: Tree, places: Sequence[Place]) -> dict[str, Any]:
    """The part of `tree` that `places` name, with the values that it has; words of NVUE that YAML takes for others stay words."""
    part: dict[str, Any] = {}
    for place in places:
        names = place[:-1] if place[-1].startswith("=") else place
        branch, value = part, tree[names[0]]
        for name, below in itertools.pairwise(names):
            branch, value = branch.setdefault(name, {}), value[below]
        if not isinstance(value, Mapping):
            branch[names[-1]] = WORDS[value] if isinstance(value, bool) else value
        else:
            branch.setdefault(names[-1], {})
    return part
