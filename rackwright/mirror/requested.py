"""What is asked of the mirror, grouped by what is installed alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from rackwright.model.artifact import Architecture, Wanted
from rackwright.model.software import Bill, OperatingSystem


@dataclass(frozen=True)
class Group:
    """The nodes of one class on one operating system and architecture, and what they will ask for."""

    pool: str
    os: OperatingSystem
    architecture: Architecture
    bill: Bill
    wanted: tuple[Wanted, ...]

    @property
    def title(self) -> str:
        """The group in words."""
        return f"{self.pool or 'servers without a pool'} on {self.os} ({self.architecture})"

    @property
    def packages(self) -> Sequence[Wanted]:
        """Packages asked for by name."""
        return [one for one in self.wanted if one.kind == "package" and not one.pin]

    def allows(self, name: str, version: str) -> bool:
        """Whether the pins let a package come at `version`: those of its very name, else the longest pattern's."""
        said = [one for one in self.wanted if one.kind == "package" and one.version and fnmatchcase(name, one.name)]
        exact = [one for one in said if not one.pin]
        longest = max((len(one.name) for one in said), default=0)
        return all(
            fnmatchcase(version, one.version) for one in exact or [one for one in said if len(one.name) == longest]
        )


def groups(wanted: Iterable[Wanted], bill: Callable[[str], Bill]) -> list[Group]:
    """`wanted` by pool, operating system and architecture, in the order they first come."""
    found: dict[tuple[str, OperatingSystem, Architecture], list[Wanted]] = {}
    for one in wanted:
        found.setdefault((one.pool, one.os, one.architecture), []).append(one)
    return [Group(pool, os, arch, bill(pool), tuple(all_of_it)) for (pool, os, arch), all_of_it in found.items()]
