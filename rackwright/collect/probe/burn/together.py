"""Runs the same work on all accelerators at the same time."""

from __future__ import annotations

import threading
from collections.abc import Callable


def together(count: int, work: Callable[[int], None]) -> None:
    """Run ``work(0)`` to ``work(count - 1)``, each in a thread (ctypes releases the lock of the interpreter), wait for
    all, and raise the first exception.
    """
    failed: list[BaseException] = []

    def run(index: int) -> None:
        try:
            work(index)
        except BaseException as error:  # noqa: BLE001 - raised again by the thread that waits
            failed.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]
