"""An output of nccl-tests or rccl-tests, cut into its runs. In: text. Out: a `Log` per run, its lines sorted by what they tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rackwright.collect.loadlogs.nccl_lines import NOTHING, Line, read
from rackwright.collect.loadlogs.nccl_paths import INFO

COLUMNS = 13
"""size, count, type, redop, root, then time, algbw, busbw, #wrong out of place and in place."""


@dataclass
class Log:
    """One run."""

    lines: Sequence[str]
    """Of the whole output."""
    first: int
    """Number of the line that names the program."""
    name: str
    """Of the program, without ``_perf``."""
    last: int
    whole: bool = False
    ranks: list[tuple[str, ...]] = field(default_factory=list)
    """Number, host, device, place on the bus, product."""
    table: list[tuple[int, list[str]]] = field(default_factory=list)
    """Number and words of every row."""
    said: list[tuple[str, str]] = field(default_factory=list)
    """Debug lines of the library: who speaks, and what stands after `INFO`."""
    counters: list[str] = field(default_factory=list)
    settings: tuple[str, ...] = ()
    """Warm-up and counted iterations, of the first line that tells."""
    tool: str = ""
    version: str = ""
    coded: str = ""
    """The version again, see `Line`."""

    def take(self, number: int, known: Line | None) -> None:
        """One more line; `known` is what it is if it begins with ``#``."""
        self.last = number
        if known is None:
            self._bare(number, self.lines[number - 1])
        elif known is not NOTHING:
            self._told(known, number)

    def _bare(self, number: int, line: str) -> None:
        who, info, said = line.partition(INFO)
        if info:
            self.said.append((who, said))
        elif words := row(line):
            self.table.append((number, words))
            return
        if "CCL version" in line or "ccl-library=" in line:
            self._told(read(line), number)

    def _told(self, known: Line, number: int) -> None:
        self.version = known.version or self.version
        self.coded = self.coded or known.coded
        if known.kind == "rank":
            self.ranks.append(known.words)
        elif known.kind == "end":
            self.whole = True
        elif known.kind == "settings":
            self.settings = self.settings or known.words
        elif known.kind == "tool":
            self.tool = " ".join(known.words)
        elif known.kind == "counters":
            self.counters.append(self.lines[number - 1])


def logs(output: str) -> Iterator[Log]:
    """The lines of each run; what stands before the first run's name (versions) belongs to the run that follows."""
    lines = output.splitlines()
    before: list[tuple[int, Line | None]] = []
    log: Log | None = None
    for number, line in enumerate(lines, 1):
        known = read(line) if line[:1] == "#" else None
        kind = known.kind if known else ""
        if known and kind == "start" and (log is None or log.ranks):
            if log:
                yield log
            log = Log(lines, number, known.words[0], number)
            for one in (*before, (number, known)):
                log.take(*one)
            before = []
        elif log is None or kind == "tool":
            before.append((number, known))
        else:  # also a second name without ranks between: our driver gave it, and now the tool does
            log.take(number, known)
    if log:
        yield log


def row(line: str) -> list[str]:
    """The words of a row of the table; empty for any other line."""
    words = line.split()
    return words if len(words) == COLUMNS and words[0].isdigit() and words[1].isdigit() else []
