"""Chooses the packages of every group: from the mirror where it has them, else from the upstreams, which are then read.

A mirror that has it all needs no upstream: a second run works offline.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from rackwright.base.errors import Problem, ProblemsError
from rackwright.mirror import apt_index, rpm_index
from rackwright.mirror.offers import Listing
from rackwright.mirror.repository import Reader
from rackwright.mirror.requested import Group
from rackwright.mirror.resolve import Resolution, Resolver
from rackwright.mirror.stored_files import Kept, is_rpm
from rackwright.mirror.upstreams import Source, Upstreams, sources
from rackwright.model.artifact import Architecture

T = TypeVar("T")


@dataclass
class Chosen:
    """What came of all groups."""

    groups: list[tuple[Group, Resolution]] = field(default_factory=list)
    modules: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    """Module streams of the rpm upstreams that were read, by operating system and architecture."""
    unread: dict[str, str] = field(default_factory=dict)
    """Upstreams that could not be used -> why."""


class Chooser:
    """The choice of one sync; every upstream is read once, however many groups it serves."""

    def __init__(self, reader: Reader, upstreams: Upstreams, kept: Kept, *, upgrade: bool) -> None:
        self._reader = reader
        self._upstreams = upstreams
        self._kept = kept
        self._upgrade = upgrade
        self._read: dict[tuple[str, str], asyncio.Task[list[Listing]]] = {}
        self.chosen = Chosen()

    async def run(self, groups: Sequence[Group]) -> Chosen:
        """The choice for all groups; ProblemsError with the problems of all."""
        problems: list[Problem] = []
        for group in [one for one in groups if one.packages]:
            try:
                resolution = await self._one(group)
            except ProblemsError as error:
                problems += error.problems
                continue
            problems += resolution.problems
            self.chosen.groups.append((group, resolution))
        if problems:
            raise ProblemsError(dict.fromkeys(problems))
        return self.chosen

    async def _one(self, group: Group) -> Resolution:
        compare = rpm_index.compare if is_rpm(group.os) else apt_index.compare
        mine = self._kept.listing(group, fresh=not self._upgrade)
        if not self._upgrade:
            found = Resolver(group, [mine], compare).run()
            if not found.problems and found.left.keys() <= self._kept.lock.left.keys():
                return found
        read = [one for one in sources(self._upstreams, group) if not self._unusable(one)]
        listings = await all_or_problems([self._listings(one, group.architecture) for one in read])
        if is_rpm(group.os):
            texts = {one.modules for source in listings for one in source if one.modules}
            self.chosen.modules.setdefault((group.os, group.architecture), set()).update(texts)
        order = [*(one for source in listings for one in source)]
        return Resolver(group, [*order, mine] if self._upgrade else [mine, *order], compare).run()

    def _unusable(self, source: Source) -> bool:
        if source.reason:
            self.chosen.unread[source.name] = source.reason
        return bool(source.reason)

    async def _listings(self, source: Source, architecture: Architecture) -> list[Listing]:
        known = (source.model_dump_json(), architecture)
        if known not in self._read:
            self._read[known] = asyncio.create_task(self._reader.listings(source, architecture))
        return await self._read[known]


async def all_or_problems(waiting: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """What all of them return; ProblemsError with the problems of every one that raises it."""
    done = await asyncio.gather(*waiting, return_exceptions=True)
    for one in done:
        if isinstance(one, BaseException) and not isinstance(one, ProblemsError):
            raise one
    problems = [problem for one in done if isinstance(one, ProblemsError) for problem in one.problems]
    if problems:
        raise ProblemsError(dict.fromkeys(problems))
    return [one for one in done if not isinstance(one, BaseException)]
