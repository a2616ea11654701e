"""Output of other tools in sections of our driver: ``# gemm device=0 precision=bf16 from=0.0 until=33.2``, then the
output of the tool.

Also finds columns of the tables in it by their names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rackwright.collect.collector import ParseError
from rackwright.collect.loadlogs import document as document_text

HEAD = re.compile(r"^# (\w+)((?: \w+=\S*)*)\s*$")
FACT = re.compile(r" (\w+)=(\S*)")
TITLE = re.compile(r"Execute Times|Elapsed Time\(us\)|[^\s|]+")
"""Name of a column of ascend-dmi; two of them contain a space, and records copied through Markdown have no wider gap
between names.
"""


@dataclass(frozen=True)
class Section:
    """One section of an output."""

    line: int
    kind: str
    facts: dict[str, str]
    text: str

    def integer(self, name: str) -> int:
        """A fact of the header as an integer; ParseError without it."""
        try:
            return int(self.facts[name])
        except (KeyError, ValueError):
            raise ParseError(self.line, f"# {self.kind} {self.facts}", f"a number {name}=") from None

    def second(self, name: str) -> float:
        """A fact of the header as seconds; ParseError without it."""
        try:
            return float(self.facts[name])
        except (KeyError, ValueError):
            raise ParseError(self.line, f"# {self.kind} {self.facts}", f"seconds {name}=") from None

    def word(self, name: str) -> str:
        """A fact of the header as text; ParseError without it."""
        if name not in self.facts:
            raise ParseError(self.line, f"# {self.kind} {self.facts}", f"a word {name}=")
        return self.facts[name]


def read_sections(output: str, kinds: Sequence[str], must: Sequence[str]) -> dict[str, list[Section]]:
    """The sections of each of `kinds`, in order; ParseError if a kind of `must` has no section."""
    parts: list[tuple[int, str, dict[str, str], list[str]]] = []
    for number, line in enumerate(output.splitlines(), 1):
        head = HEAD.match(line)
        if head and head[1] in kinds:
            parts.append((number, head[1], dict(FACT.findall(head[2])), []))
        elif parts:
            parts[-1][3].append(line)
    by_kind: dict[str, list[Section]] = {kind: [] for kind in kinds}
    for number, kind, facts, lines in parts:
        by_kind[kind].append(Section(number, kind, facts, "\n".join(lines)))
    missing = [kind for kind in must if not by_kind[kind]]
    if missing:
        raise ParseError(1, output, f"a section # {missing[0]}")
    return by_kind


def table_cell(section: Section, column: str) -> float:
    """The number in the last row of the table whose header names `column`; columns are counted from the right.

    ParseError for a section without such a table, or with a row that is too short or has no number there.
    """
    head = None
    value = ""
    for line in section.text.splitlines():
        names = TITLE.findall(line)
        words = line.replace("|", " ").split()
        if column in names:
            head = len(names) - names.index(column)
        elif head is not None and len(words) >= head and words[0][0].isdigit():
            value = words[-head]
    try:
        return float(value.replace(",", ""))
    except ValueError:
        raise ParseError(section.line, section.text[-200:], f"a table with {column}") from None


def json_rows(section: Section) -> list[dict[str, Any]]:
    """The objects of a JSON list; ParseError for anything else."""
    try:
        document = document_text.read(section.text)
    except ValueError:
        document = None
    if not isinstance(document, list) or not all(isinstance(row, dict) for row in document):
        raise ParseError(section.line, section.text, "a list of JSON objects")
    return document
