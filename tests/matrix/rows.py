"""Rows of the matrix that are played with hosts, and which of them a run plays: server, scheduler and a system that the makers support."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import get_args

from rackwright import catalog, compat
from rackwright.base import content
from rackwright.model.sku import Accelerator, Server
from rackwright.model.software import Bill, OperatingSystem
from rackwright.model.verdict import Outcome
from rackwright.onboard.roles import ordered_roles
from rackwright.twin import systems

SCHEDULERS = ("slurm", "kubernetes")
ROTATED = ("rackwright", "roles", "validators")
"""Folders whose content decides what `rotation` chooses: another tree, other rows; the same tree, the same rows."""


@dataclass(frozen=True)
class Row:
    """One site of `rackwright size`."""

    server: str
    scheduler: str
    system: OperatingSystem

    @property
    def name(self) -> str:
        """As `select` reads it."""
        return f"{self.server}/{self.scheduler}/{self.system}"


def servers() -> list[str]:
    """Every server of the catalog with accelerators that can be brought up."""
    parts = catalog.load()
    return [server.sku for server in parts.servers.values() if server.accelerators and not parts.is_announced(server)]


@cache
def rehearsed() -> tuple[OperatingSystem, ...]:
    """Systems that hosts of the twin can have and onboarding is rehearsed on."""
    verified = {name for role in ordered_roles() for name in role.verified_on}
    return tuple(system for system in get_args(OperatingSystem) if system in verified and system in systems.names())


def systems_of(server: str) -> list[OperatingSystem]:
    """Rehearsed systems that the makers of `server` support, their first choice first; all where no maker names any."""
    parts = catalog.load()
    part = parts.servers[server]
    accelerator = parts.accelerators.get(part.accelerator or "")
    supported = compat.supported_systems(accelerator, part) or rehearsed()
    return [system for system in supported if system in rehearsed() and made_for(system, accelerator, part)]


def made_for(system: OperatingSystem, accelerator: Accelerator | None, server: Server) -> bool:
    """Whether `server` is one of those that `system` is made for."""
    answers = compat.judge_bill(Bill(os=system), accelerator, server, None)
    return all(answer.outcome == Outcome.PASS for answer in answers if answer.subject == "server")


@cache
def _rows() -> tuple[Row, ...]:
    return tuple(
        Row(server, scheduler, system)
        for server in servers()
        for scheduler in SCHEDULERS
        for system in systems_of(server)
    )


def rows() -> list[Row]:
    """Every row."""
    return list(_rows())


def same_site(row: Row) -> list[Row]:
    """`row`, and the rows of its server and scheduler on other systems: `check` refuses some that a vendor publishes no packages for."""
    siblings = (peer for peer in rows() if (peer.server, peer.scheduler) == (row.server, row.scheduler))
    return list(dict.fromkeys([row, *siblings]))


@cache
def _by_kind() -> list[list[Row]]:
    """Rows by vendor, and apart where the processor is another (the trays of an NVL72 rack)."""
    parts, by_kind = catalog.load(), dict[tuple[str, bool], list[Row]]()
    for row in rows():
        vendor = parts.accelerators[parts.servers[row.server].accelerator or ""].vendor
        by_kind.setdefault((vendor, row.server.endswith("nvl72")), []).append(row)
    return list(by_kind.values())


def select(words: str) -> list[Row]:
    """`all`, `rotation` (or `rotation:N`), or names between commas: of a server, or SERVER/SCHEDULER, or SERVER/SCHEDULER/SYSTEM. ValueError for others."""
    if words == "all":
        return rows()
    if words.startswith("rotation"):
        return rotation(int(words.partition(":")[2] or ROTATION))
    chosen = []
    for word in words.split(","):
        matching = [row for row in rows() if f"{row.name}/".startswith(f"{word}/")]
        if not matching:
            raise ValueError(
                f"no row is called {word}: give all, rotation, or SERVER/SCHEDULER/SYSTEM, as in {rows()[0].name}"
            )
        chosen += matching
    return list(dict.fromkeys(chosen))


ROTATION = 2
"""Rows of a rotation: about 50 s of processor time."""


def rotation(count: int) -> list[Row]:
    """`count` rows of different vendors and both schedulers, by the digest of the tree: over time every row has its turn."""
    return rotated(int(tree_digest(), 16), count)


def rotated(turn: int, count: int) -> list[Row]:
    """The rows of turn number `turn`: vendors follow one another, and each gives one of its rows."""
    kinds = _by_kind()
    return [_of_kind(kinds[(turn + number) % len(kinds)], turn // len(kinds), number) for number in range(count)]


def _of_kind(of_vendor: Sequence[Row], turn: int, number: int) -> Row:
    scheduler = SCHEDULERS[(turn + number) % len(SCHEDULERS)]
    of_scheduler = [row for row in of_vendor if row.scheduler == scheduler]
    return of_scheduler[turn // len(SCHEDULERS) % len(of_scheduler)]


@cache
def tree_digest() -> str:
    """SHA-256 of every file that decides how a row ends."""
    return content.sha256_of(
        (path.relative_to(content.root()).as_posix(), path)
        for name in ROTATED
        for path in sorted(content.folder(name).rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    )
