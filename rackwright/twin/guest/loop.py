"""A small event loop for the init: coroutines that wait for a process to end, a message, or time."""

from __future__ import annotations

import heapq
import itertools
import selectors
import time
from collections.abc import Callable, Coroutine, Generator
from typing import Any


class Signal:
    """Something that coroutines wait for; it is set once, with a value."""

    __slots__ = ("is_set", "value", "waiting")

    def __init__(self) -> None:
        self.is_set = False
        self.value: Any = None
        self.waiting: list[Callable[[], None]] = []

    def set(self, value: Any = None) -> None:
        """Wake all coroutines that wait; later calls change nothing."""
        if self.is_set:
            return
        self.is_set, self.value = True, value
        for wake in self.waiting:
            wake()
        self.waiting.clear()


class Until:
    """Await this: True when one of `signals` is set, False when `seconds` went by first."""

    def __init__(self, *signals: Signal, seconds: float | None = None) -> None:
        self.signals = signals
        self.seconds = seconds

    def __await__(self) -> Generator[Until, bool, bool]:
        if any(signal.is_set for signal in self.signals):
            return True
        return (yield self)


class Loop:
    """Runs coroutines until `stop`."""

    def __init__(self) -> None:
        self.selector = selectors.DefaultSelector()
        self._timers: list[tuple[float, int, Callable[[], None]]] = []
        self._ready: list[Callable[[], None]] = []
        self._count = itertools.count()
        self._running = True

    def spawn(self, coroutine: Coroutine[Until, bool, None]) -> None:
        """Start `coroutine`; it handles its own errors."""
        self._ready.append(lambda: self._step(coroutine, woken=False))

    def on_readable(self, file: Any, call: Callable[[], None]) -> None:
        """Call `call` whenever `file` can be read."""
        self.selector.register(file, selectors.EVENT_READ, call)

    def forget(self, file: Any) -> None:
        """Stop watching `file`."""
        self.selector.unregister(file)

    def stop(self) -> None:
        """Leave `run` after the current round."""
        self._running = False

    def run(self) -> None:
        """Run everything until `stop`."""
        while self._running:
            while self._ready:
                self._ready.pop(0)()
            for key, _ in self.selector.select(self._pause()):
                key.data()
            now = time.monotonic()
            while self._timers and self._timers[0][0] <= now:
                heapq.heappop(self._timers)[2]()

    def _pause(self) -> float | None:
        if self._ready or not self._running:
            return 0.0
        return max(0.0, self._timers[0][0] - time.monotonic()) if self._timers else None

    def _step(self, coroutine: Coroutine[Until, bool, None], *, woken: bool, first: bool = True) -> None:
        try:
            until = coroutine.send(None if first else woken)  # type: ignore[arg-type]
        except StopIteration:
            return
        done = Signal()

        def resume(*, woken: bool) -> None:
            if not done.is_set:
                done.set()
                self._ready.append(lambda: self._step(coroutine, woken=woken, first=False))

        for signal in until.signals:
            signal.waiting.append(lambda: resume(woken=True))
        if until.seconds is not None:
            when = time.monotonic() + until.seconds
            heapq.heappush(self._timers, (when, next(self._count), lambda: resume(woken=False)))
