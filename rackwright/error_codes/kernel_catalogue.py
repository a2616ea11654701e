"""The catalogue of lines that the kernel logs when something fails: ``validators/kernel``, a file per domain, a row per kind of line.

A file holds the drivers that write (``drivers``: what stands before the text of their lines) and the kinds (``events``). The collector finds
lines by it, the node itself filters its journal by it, and checks take outcome and action from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Literal

from pydantic import field_validator, model_validator

from rackwright.base import content, tables
from rackwright.base.errors import Problem, ProblemsError
from rackwright.base.tables import TableRow
from rackwright.model.base import Record

SHORTEST_FIND = 4
"""A shorter piece would make a node send much of its journal."""
PCRE_SPECIAL = re.compile(r"([\\^$.|?*+()\[\]{}])")


class KernelDriver(Record):
    """Who writes lines."""

    driver: str
    vendor: str
    begins: str
    """Regular expression of what stands before the text of every row of it; empty where nothing does."""


class KernelLine(Record):
    """One kind of line."""

    kind: str
    driver: str
    severity: Literal["fail", "degraded", "advice"]
    """What a line of it means for a node that is to be accepted; advice is shown and refuses nobody."""
    find: str
    """A piece of every such line: the node filters its journal by it."""
    pattern: str
    """Regular expression of the text behind what its driver begins with."""
    action: str
    line: str
    """A line of a real log."""
    written: bool = False
    """True where nobody has published a line: `line` is the format of the driver's source, filled in."""
    source: str
    date: str

    @field_validator("kind")
    @classmethod
    def _is_name(cls, kind: str) -> str:
        if not re.fullmatch(r"[a-z][a-z0-9_]*", kind):
            raise ValueError("a kind is lower case letters, digits and underscores")
        return kind

    @model_validator(mode="after")
    def _is_found(self) -> KernelLine:
        if len(self.find) < SHORTEST_FIND or self.find not in self.line:
            raise ValueError(f"`find` is {SHORTEST_FIND} characters or more that stand in `line`")
        return self


@dataclass(frozen=True)
class KernelCatalogue:
    """All of ``validators/kernel``."""

    drivers: Mapping[str, Mapping[str, KernelDriver]]
    """By domain, by name."""
    lines: Mapping[str, Mapping[str, KernelLine]]
    """By domain (the file's name), by kind."""
    places: Mapping[str, str]
    """File and line of every kind."""

    @cached_property
    def by_kind(self) -> dict[str, KernelLine]:
        """Every kind of every domain."""
        return {kind: line for kinds in self.lines.values() for kind, line in kinds.items()}

    @cached_property
    def expression(self) -> re.Pattern[str]:
        """Every kind at once, from the beginning of a text; the group that matched last is the kind.

        Raises ProblemsError with every row that is no regular expression, or has groups of its own.
        """
        with suppress(re.error):
            expression = re.compile("|".join(self._alternatives()))
            if expression.groups == len(self.by_kind):
                return expression
        raise ProblemsError(filter(None, map(self._broken, self.by_kind)))

    def expression_of(self, kind: str) -> re.Pattern[str]:
        """That of one kind, with what its driver begins with."""
        domain = next(name for name, kinds in self.lines.items() if kind in kinds)
        line = self.by_kind[kind]
        return re.compile(f"(?:{self.drivers[domain][line.driver].begins})(?:{line.pattern})")

    def _broken(self, kind: str) -> Problem | None:
        try:
            fault = "" if not self.expression_of(kind).groups else "groups that are not written (?:...)"
        except re.error as error:
            fault = str(error)
        row = self.by_kind[kind]
        return (
            _misfit(row, self.places[kind], "pattern", "cannot be matched", "a regular expression", fault)
            if fault
            else None
        )

    def _alternatives(self) -> Iterator[str]:
        for domain, kinds in self.lines.items():
            for name, driver in self.drivers[domain].items():
                rows = [line for line in kinds.values() if line.driver == name]
                patterns = "|".join(f"(?P<{line.kind}>{line.pattern})" for line in rows)
                yield f"(?:{driver.begins})(?:{patterns})"

    def kind(self, text: str) -> str | None:
        """The kind of a line; None for one that names no fault."""
        match = self.expression.match(text)
        return match.lastgroup if match else None

    @cached_property
    def finds(self) -> tuple[str, ...]:
        """The pieces that find every line of the catalogue, escaped for PCRE; one within which another stands is left out."""
        pieces = sorted({line.find for line in self.by_kind.values()}, key=lambda piece: (len(piece), piece))
        shortest: list[str] = []
        for piece in pieces:
            if not any(part in piece for part in shortest):
                shortest.append(piece)
        return tuple(PCRE_SPECIAL.sub(r"\\\1", piece) for piece in sorted(shortest))


@cache
def load_kernel_catalogue(folder: Path | None = None) -> KernelCatalogue:
    """The catalogue. Raises ProblemsError with every row that does not fit, at its line."""
    drivers: dict[str, dict[str, KernelDriver]] = {}
    lines: dict[str, dict[str, KernelLine]] = {}
    problems: list[Problem] = []
    places: dict[str, str] = {}
    for path in sorted((folder or content.folder("validators", "kernel")).glob("*.yaml")):
        try:
            rows = tables.load_tables(path, {"drivers": KernelDriver, "events": KernelLine})
        except ProblemsError as error:
            problems += error.problems
            continue
        drivers[path.stem] = {row.record.driver: row.record for row in rows["drivers"]}
        lines[path.stem] = {row.record.kind: row.record for row in rows["events"]}
        problems += _misfits(rows["events"], drivers[path.stem], places)
    if problems:
        raise ProblemsError(problems)
    return KernelCatalogue(drivers, lines, places)


def _misfits(
    rows: list[TableRow[KernelLine]], drivers: Mapping[str, KernelDriver], places: dict[str, str]
) -> Iterator[Problem]:
    """Kinds that are given twice, or whose driver is not declared; `places` collects the kinds of all files."""
    for row in rows:
        line = row.record
        if line.kind in places:
            yield _misfit(line, row.place, "kind", "is given twice", "one row per kind", places[line.kind])
        if line.driver not in drivers:
            expected = "a row under `drivers` of this file"
            yield _misfit(line, row.place, "driver", "is not declared", expected, line.driver)
        places.setdefault(line.kind, row.place)


def _misfit(line: KernelLine, place: str, field: str, message: str, expected: str, value: str) -> Problem:
    path = f"{line.kind}.{field}"
    return Problem(place, path, message, expected, value, "mend the row, or remove it", "kernel.refused")
