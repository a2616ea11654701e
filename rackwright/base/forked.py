"""A `map` whose function is run by processes that are forked from this one: they share what it has, and only results are sent."""

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
"""Set before the processes are forked; nothing of it is sent."""


@contextmanager
def forked(act: Callable[[T], R], processes: int) -> Iterator[Map[T, R]]:
    """`map` of `act`, which begins at once, by so many processes; with one process, `act` runs here.

    What `act` changes is changed in one of the processes, and nowhere else. Threads do not survive a fork: it must not work on tables.
    """
    if processes == 1:
        yield lambda items: map(act, items)
        return
    _ACT[:] = [act]
    gc.freeze()  # to look at objects writes to the memory that is shared
    try:
        with ProcessPoolExecutor(processes, mp_context=get_context("fork")) as pool:
            yield lambda items: pool.map(_run, items)
    finally:
        _ACT.clear()


def _run(item: Any) -> Any:
    [act] = _ACT
    return act(item)
