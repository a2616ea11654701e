"""The memory of this process and of those that it starts, while something runs.

What processes share counts once: each page is divided among those that have it (PSS, proc_pid_smaps_rollup(5)).
"""

from __future__ import annotations

import os
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

EVERY_SECONDS = 2.0
"""The kernel walks through every page to answer, which takes tens of milliseconds a gigabyte: not too often."""
KIB = 1024


class Memory:
    """Looks at the memory now and then, as a context manager."""

    def __init__(self) -> None:
        self.peak_mib = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while True:
            self.peak_mib = max(self.peak_mib, sum(map(_pss, [os.getpid(), *_children(os.getpid())])) / KIB)
            if self._over.wait(EVERY_SECONDS):
                return


def _children(process: int) -> list[int]:
    children: list[int] = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            children += map(int, task.read_text().split())
        except OSError:  # the thread has ended
            continue
    return [descendant for child in children for descendant in (child, *_children(child))]


def _pss(process: int) -> int:
    """KiB; 0 for a process that has ended."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
