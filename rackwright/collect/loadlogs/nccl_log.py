"""An output of nccl-tests or rccl-tests, cut into its runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rackwright.collect.loadlogs.nccl_lines import NOTHING, Line, read
from rackwright.collect.loadlogs.nccl_paths import INFO

COLUMNS = 13
"""size, count, type, redop, root, then time, algbw, busbw, #wrong out of place and in place."""


@dataclass
class Log:
    """One run, or what stands ahead of one."""

    lines: Sequence[str]
    """Of the whole output."""
    first: int = 0
    """Number of the line that names the program."""
    name: str = ""
    """Of the program, without ``_perf``."""
    stop: int = 0
    """Number of the line that names the next one, or of the one after the end."""
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

    @property
    def last(self) -> int:
        """Number of the last line; the version of the tool ahead of the next run is none of this one's."""
        number = self.stop - 1
        while read(self.lines[number - 1]).kind == "tool":
            number -= 1
        return number

    def comment(self, number: int, known: Line) -> None:
        """Take a line that begins with ``#``."""
        self._library(known)
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

    def bare(self, number: int, line: str) -> None:
        """Take any other line."""
        who, info, said = line.partition(INFO)
        if info:
            self.said.append((who, said))
        elif words := _row(line):
            self.table.append((number, words))
            return
        if "CCL version" in line or "ccl-library=" in line:
            self._library(read(line))

    def _library(self, known: Line) -> None:
        self.version = known.version or self.version
        self.coded = self.coded or known.coded


def logs(output: str) -> list[Log]:
    """The lines of each run. What stands ahead of the first, and every version of the tool, belongs to the run that follows."""
    lines = output.splitlines()
    found: list[Log] = []
    log = ahead = Log(lines)
    for number, line in enumerate(lines, 1):
        known = read(line) if line[:1] == "#" else None
        if known is NOTHING:
            continue
        if known is None:
            log.bare(number, line)
        elif known.kind == "tool":
            ahead.comment(number, known)
        elif known.kind == "start" and (log is ahead or log.ranks):
            log.stop = number
            log, ahead = ahead, Log(lines)
            log.first, log.name = number, known.words[0]
            found.append(log)
        else:  # also a second name without ranks between: our driver gave it, and now the tool does
            log.comment(number, known)
    log.stop = len(lines) + 1
    return found


def _row(line: str) -> list[str]:
    """The words of a row of the table; empty for any other line."""
    words = line.split()
    return words if len(words) == COLUMNS and words[0].isdigit() and words[1].isdigit() else []
