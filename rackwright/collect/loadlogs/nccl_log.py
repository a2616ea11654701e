"""Splits an output of nccl-tests or rccl-tests into its runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rackwright.collect.loadlogs.nccl_lines import NOTHING, Line, read
from rackwright.collect.loadlogs.nccl_paths import INFO

COLUMNS = range(11, 14)
"""Number of columns of a row: size, count, type; up to 2.11 also redop or root or neither, since then both; at last
time, algbw, busbw, #wrong (up to 2.11: error) out of place and in place.
"""


@dataclass
class Log:
    """One run, or the lines before the first run."""

    lines: Sequence[str]
    """Lines of the whole output."""
    first: int = 0
    """Number of the line that names the program, from 1."""
    name: str = ""
    """Name of the program, without ``_perf``."""
    stop: int = 0
    """Number of the line that names the next program, or of the one after the end."""
    complete: bool = False
    listed: list[tuple[str, ...]] = field(default_factory=list)
    """For each rank: number, process, host, device, PCI address, product."""
    elided: bool = False
    """Whether the list of ranks of a process was too long to be printed in full."""
    table: list[tuple[int, list[str]]] = field(default_factory=list)
    """Line number and words of every row."""
    messages: list[tuple[str, str]] = field(default_factory=list)
    """Debug lines of the library: the text before and after `INFO`."""
    counters: list[str] = field(default_factory=list)
    settings: tuple[str, ...] = ()
    """Threads of a process, accelerators of a thread, warm-up and counted iterations, from the first line that has
    them.
    """
    wrong: int | None = None
    """Count in the last line: wrong values; up to 2.11 tests on a rank with values out of bounds."""
    tool: str = ""
    version: str = ""
    coded: str = ""
    """Version of the library with which the tool was built, see `Line.coded`."""

    @property
    def ranks(self) -> list[tuple[str, ...]]:
        """Every rank that ran, as in `listed`; if a list was elided, its missing ranks are added by the number of
        accelerators of a process.
        """
        if not (self.elided and self.settings):
            return self.listed
        count = int(self.settings[0]) * int(self.settings[1])
        processes: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
        for rank in self.listed:
            processes.setdefault(rank[1:3], []).append(rank)
        return [rank for displayed in processes.values() for rank in [*displayed, *_unlisted(displayed, count)]]

    @property
    def last(self) -> int:
        """Number of the last line; the version line of the tool before the next run does not belong to this run."""
        number = self.stop - 1
        while read(self.lines[number - 1]).kind == "tool":
            number -= 1
        return number

    def comment(self, number: int, entry: Line) -> None:
        """Take a line that begins with ``#``."""
        self._library(entry)
        if entry.kind == "rank":
            self.listed.append(entry.words)
        elif entry.kind == "elided":
            self.elided = True
        elif entry.kind == "end":
            self.complete, self.wrong = True, int(entry.words[0])
        elif entry.kind == "settings":
            self.settings = self.settings or entry.words
        elif entry.kind == "tool":
            self.tool = " ".join(entry.words)
        elif entry.kind == "counters":
            self.counters.append(self.lines[number - 1])

    def bare(self, number: int, line: str) -> None:
        """Take any other line."""
        who, info, message = line.partition(INFO)
        if info:
            self.messages.append((who, message))
        elif words := _row(line):
            self.table.append((number, words))
            return
        if "CCL version" in line or "ccl-library=" in line:
            self._library(read(line))

    def _library(self, comment: Line) -> None:
        self.version = comment.version or self.version
        self.coded = self.coded or comment.coded


def logs(output: str) -> list[Log]:
    """The lines of each run.

    Lines before the first run, and every version line of the tool, belong to the run that follows.
    """
    lines = output.splitlines()
    runs: list[Log] = []
    log = ahead = Log(lines)
    for number, line in enumerate(lines, 1):
        comment = read(line) if line[:1] == "#" else None
        if comment is NOTHING:
            continue
        if comment is None:
            log.bare(number, line)
        elif comment.kind == "tool":
            ahead.comment(number, comment)
        elif comment.kind == "start" and (log is ahead or log.listed):
            log.stop = number
            log, ahead = ahead, Log(lines)
            log.first, log.name = number, comment.words[0]
            runs.append(log)
        else:  # also a second name without ranks between: our driver printed it, and then the tool
            log.comment(number, comment)
    log.stop = len(lines) + 1
    return runs


def _row(line: str) -> list[str]:
    """The words of a row of the table; empty for any other line."""
    words = line.split()
    return words if len(words) in COLUMNS and words[0].isdigit() and words[1].isdigit() else []


def _unlisted(displayed: list[tuple[str, ...]], count: int) -> list[tuple[str, ...]]:
    """The ranks of a process that follow those in its list, on the accelerators that follow; their PCI addresses are
    not printed.
    """
    number, process, host, device, _, product = displayed[-1]
    return [
        (str(int(number) + step), process, host, str(int(device) + step), "", product)
        for step in range(1, count - len(displayed) + 1)
    ]
