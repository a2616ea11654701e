"""A `map` whose function runs in processes forked from this one: they share its memory, and only results are sent."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")
Map = Callable[[Iterable[T]], Iterable[R]]
_ACT: list[Callable[[Any], Any]] = []
"""Set before the processes are forked, so that it need not be sent."""


@contextmanager
def forked(act: Callable[[T], R], processes: int) -> Iterator[Map[T, R]]:
    """`map` of `act`, which starts at once, in that many processes; with one process, `act` runs here.

    Changes by `act` stay in the forked process. Threads do not survive a fork, so `act` must not work on Polars tables.
    """
    if processes == 1:
        yield lambda items: map(act, items)
        return
    _ACT[:] = [act]
    gc.freeze()  # garbage collection would write to the shared memory
    try:
        with ProcessPoolExecutor(processes, mp_context=get_context("fork")) as pool:
            yield lambda items: pool.map(_run, items)
    finally:
        _ACT.clear()


def _run(item: Any) -> Any:
    [act] = _ACT
    return act(item)
