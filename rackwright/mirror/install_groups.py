"""What the mirror must carry, grouped by nodes that install the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from rackwright.model.artifact import Architecture, Wanted
from rackwright.model.software import Bill, OperatingSystem
from rackwright.upstreams import load_upstreams, select_sources, serving_source


@dataclass(frozen=True)
class InstallGroup:
    """The nodes of one pool on one operating system and architecture, and what they need."""

    pool: str
    os: OperatingSystem
    architecture: Architecture
    bill: Bill
    required: tuple[Wanted, ...]

    @property
    def title(self) -> str:
        """The group as reports print it."""
        return f"{self.pool or 'servers without a pool'} on {self.os} ({self.architecture})"

    @property
    def packages(self) -> Sequence[Wanted]:
        """Packages required by name."""
        return [software for software in self.required if software.kind == "package" and not software.pin]

    def allows(self, name: str, version: str) -> bool:
        """Whether the pins let a package come at `version`: those of its very name, else the longest pattern's."""
        versioned = [
            software
            for software in self.required
            if software.kind == "package" and software.version and fnmatchcase(name, software.name)
        ]
        exact = [software for software in versioned if not software.pin]
        longest = max((len(software.name) for software in versioned), default=0)
        return all(
            fnmatchcase(version, software.version)
            for software in exact or [software for software in versioned if len(software.name) == longest]
        )


def of_the_site(group: InstallGroup) -> InstallGroup:
    """`group` with what its nodes cannot get from vendors: unpublished packages, vendor files, images."""
    sources = select_sources(load_upstreams(), group.bill, group.os, group.architecture)

    def needed(required: Wanted) -> bool:
        place = serving_source(sources, required.name) if required.kind == "package" else None
        return required.kind in {"file", "image"} or (place is not None and place.publisher == "site")

    return replace(group, required=tuple(filter(needed, group.required)))


def group_required(required: Iterable[Wanted], bill: Callable[[str], Bill]) -> list[InstallGroup]:
    """Group `required` by pool, operating system and architecture, in order of first appearance."""
    grouped: dict[tuple[str, OperatingSystem, Architecture], list[Wanted]] = {}
    for software in required:
        grouped.setdefault((software.pool, software.os, software.architecture), []).append(software)
    return [
        InstallGroup(pool, os, arch, bill(pool), tuple(all_of_it)) for (pool, os, arch), all_of_it in grouped.items()
    ]
