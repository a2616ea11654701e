"""Lets Ctrl-C and `kill` end a play in order: Ansible is stopped first, then the caller sees the interruption."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interruption:
    """Whether a signal came."""

    def __init__(self) -> None:
        self._came = threading.Event()

    def came(self) -> bool:
        """True from the first signal on; the form that ansible-runner asks of a cancel callback."""
        return self._came.is_set()

    def notice(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 - the form of a signal handler
        """The handler."""
        self._came.set()


@contextmanager
def watch_signals() -> Iterator[Interruption]:
    """Watch for signals inside the block; KeyboardInterrupt at its end when one came. Without effect outside the main thread."""
    interruption = Interruption()
    if threading.current_thread() is not threading.main_thread():
        yield interruption
        return
    before: dict[signal.Signals, Any] = {number: signal.signal(number, interruption.notice) for number in SIGNALS}
    try:
        yield interruption
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if interruption.came():
        raise KeyboardInterrupt
