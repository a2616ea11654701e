"""Reduces garbage collection where it costs more than it frees."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

RARELY = (50_000, 20, 10)
"""Thresholds of Python's collector for a process that runs one command; Python's own are (700, 10, 10)."""


def collect_rarely() -> None:
    """Collect garbage rarely from now on, in a process that runs one command and ends.

    Most of its objects are modules, records and text of the site, which stay until the end: scanning them at Python's
    own thresholds takes a fifth of `check` and of a rehearsal of two nodes (perf, 2026-11-23).
    """
    gc.set_threshold(*RARELY)


@contextmanager
def no_collection() -> Iterator[None]:
    """Collect no garbage during the block.

    It is for millions of small records that live until the end and hold no cycles: scanning all of them again and again
    takes more than half of the time, and copies the pages that forked processes share.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.unfreeze()
        if was:
            gc.enable()
