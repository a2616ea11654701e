"""Chooses the packages of every group: from the mirror where it has them, else from the upstreams, which are then read.

A complete mirror needs no upstream: a second run works offline.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from rackwright.base.errors import Problem, ProblemsError
from rackwright.mirror import apt_index, rpm_index
from rackwright.mirror.index_reader import IndexReader
from rackwright.mirror.install_groups import InstallGroup
from rackwright.mirror.package_offers import Listing
from rackwright.mirror.package_resolver import Resolution, Resolver
from rackwright.mirror.stored_files import StoredFiles, is_rpm
from rackwright.model.artifact import Architecture
from rackwright.upstreams import SourceRepository, Upstreams, select_sources

T = TypeVar("T")


@dataclass
class PackageChoice:
    """The packages chosen for all groups."""

    groups: list[tuple[InstallGroup, Resolution]] = field(default_factory=list)
    modules: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    """Module streams of the rpm upstreams that were read, by operating system and architecture."""
    unread: dict[str, str] = field(default_factory=dict)
    """Upstreams that could not be used -> why."""


class Chooser:
    """The choice of one sync; every upstream is read once, however many groups it serves."""

    def __init__(self, reader: IndexReader, upstreams: Upstreams, stored: StoredFiles, *, upgrade: bool) -> None:
        self._reader = reader
        self._upstreams = upstreams
        self._stored = stored
        self._upgrade = upgrade
        self._read: dict[tuple[str, str], asyncio.Task[list[Listing]]] = {}
        self.chosen = PackageChoice()

    async def run(self, groups: Sequence[InstallGroup]) -> PackageChoice:
        """The choice for all groups; ProblemsError with the problems of all."""
        problems: list[Problem] = []
        for group in [candidate for candidate in groups if candidate.packages]:
            try:
                resolution = await self._choose(group)
            except ProblemsError as error:
                problems += error.problems
                continue
            problems += resolution.problems
            self.chosen.groups.append((group, resolution))
        if problems:
            raise ProblemsError(dict.fromkeys(problems))
        return self.chosen

    async def _choose(self, group: InstallGroup) -> Resolution:
        compare = rpm_index.compare_versions if is_rpm(group.os) else apt_index.compare_versions
        stored = self._stored.listing(group, preferred=not self._upgrade)
        if not self._upgrade:
            resolution = Resolver(group, [stored], compare).run()
            if not resolution.problems and resolution.unmet.keys() <= self._stored.lock.unmet.keys():
                return resolution
        read = [
            source
            for source in select_sources(self._upstreams, group.bill, group.os, group.architecture)
            if not self._unusable(source)
        ]
        listings = await all_or_problems([self._listings(source, group.architecture) for source in read])
        if is_rpm(group.os):
            texts = {listing.modules for source in listings for listing in source if listing.modules}
            self.chosen.modules.setdefault((group.os, group.architecture), set()).update(texts)
        order = [listing for source in listings for listing in source]
        return Resolver(group, [*order, stored] if self._upgrade else [stored, *order], compare).run()

    def _unusable(self, source: SourceRepository) -> bool:
        if source.reason and source.publisher != "site":  # what nobody built is missed by name, where it is needed
            self.chosen.unread[source.name] = source.reason
        return bool(source.reason)

    async def _listings(self, source: SourceRepository, architecture: Architecture) -> list[Listing]:
        key = (source.model_dump_json(), architecture)
        if key not in self._read:
            self._read[key] = asyncio.create_task(self._reader.listings(source, architecture))
        return await self._read[key]


async def all_or_problems(waiting: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """The results of all coroutines; ProblemsError with the problems of all that raise it."""
    done = await asyncio.gather(*waiting, return_exceptions=True)
    for result in done:
        if isinstance(result, BaseException) and not isinstance(result, ProblemsError):
            raise result
    problems = [problem for result in done if isinstance(result, ProblemsError) for problem in result.problems]
    if problems:
        raise ProblemsError(dict.fromkeys(problems))
    return [result for result in done if not isinstance(result, BaseException)]
