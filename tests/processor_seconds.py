"""`--processor-seconds`: what tests cost, with everything that they start, in seconds of processor time.

Unlike `--durations`, the numbers mean the same on a busy machine. As root on Linux each worker counts in a control group of its own, so that
what a test leaves running (hosts of a twin, daemons) counts as well; elsewhere what has ended by the end of a test counts.
"""

from __future__ import annotations

import contextlib
import os
import resource
from collections import Counter
from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path

import pytest

CGROUPS = Path("/sys/fs/cgroup")
PROPERTY = "processor_seconds"
COLLECTION = "(start of the workers)"
LINES = 40
"""Files, and tests, that the table lists."""


class Meter:
    """Adds to every report what its phase cost, and lists the sums at the end."""

    def __init__(self) -> None:
        self._read, self._leave = _counter()
        self._last = self._read()
        self._collection = 0.0
        self.seconds: Counter[str] = Counter()

    def pytest_collection_finish(self) -> None:
        now = self._read()
        self._collection, self._last = now - self._last, now

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        del item
        report = yield
        now = self._read()
        report.sections += [(PROPERTY, str(now - self._last)), (COLLECTION, str(self._collection))]
        self._collection, self._last = 0.0, now
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, text in report.sections:
            if name in (PROPERTY, COLLECTION):
                self.seconds[report.nodeid if name == PROPERTY else COLLECTION] += float(text)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        files: Counter[str] = Counter()
        for nodeid, seconds in self.seconds.items():
            files[nodeid.partition("::")[0]] += seconds
        terminalreporter.section(f"{sum(files.values()):.1f} processor seconds")
        for table in (files, self.seconds):
            for name, seconds in table.most_common(LINES):
                terminalreporter.write_line(f"{seconds:9.2f}  {name}")
            terminalreporter.write_line("")

    def pytest_unconfigure(self) -> None:
        self._leave()


def _counter() -> tuple[Callable[[], float], Callable[[], None]]:
    """How the processor seconds of this process and all that it starts are read, and how counting ends."""
    for hierarchy, file, parse in (
        (CGROUPS / "cpuacct", "cpuacct.usage", lambda text: int(text) / 1e9),
        (CGROUPS, "cpu.stat", lambda text: int(text.split()[1]) / 1e6),
    ):
        group = hierarchy / f"rackwright-tests-{os.getpid()}"
        with contextlib.suppress(OSError):
            group.mkdir()
            (group / "cgroup.procs").write_text(str(os.getpid()))
            return partial(_usage, os.open(group / file, os.O_RDONLY), parse), partial(_leave, hierarchy, group)
    return _ended, lambda: None


def _usage(file: int, parse: Callable[[bytes], float], read: Callable[[int, int, int], bytes] = os.pread) -> float:
    """`read` is what it was before any test replaced it."""
    return parse(read(file, 1000, 0))


def _leave(hierarchy: Path, group: Path) -> None:
    with contextlib.suppress(OSError):
        (hierarchy / "cgroup.procs").write_text(str(os.getpid()))
        group.rmdir()


def _ended() -> float:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
