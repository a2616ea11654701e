"""Ends the processes of a service as KillMode=, KillSignal= and TimeoutStopSec= ask (systemd.kill(5)).

Also the time spans of systemd.time(7).
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable

from . import process
from .loop import Signal, Until
from .unitfile import UnitFile

LOOK_AGAIN = 0.05
"""Seconds between two looks at processes that are not the init's own children."""


async def end(unit: UnitFile, main_pid: int, invocation: str, watch: Callable[[int], Signal]) -> None:
    """Send KillSignal= once to each process, SIGKILL after TimeoutStopSec=, and wait until none is left."""
    mode = unit.last("Service", "KillMode", "control-group")
    number = getattr(signal, unit.last("Service", "KillSignal", "SIGTERM"), signal.SIGTERM)
    deadline = time.monotonic() + seconds(unit.last("Service", "TimeoutStopSec") or "90s")
    signalled: set[tuple[int, int]] = set()
    while remaining := _remaining(mode, main_pid, invocation):
        if time.monotonic() > deadline:
            number = signal.SIGKILL
        for pid in remaining:
            if (pid, number) not in signalled:
                signalled.add((pid, number))
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, number)
        await Until(*(watch(pid) for pid in remaining), seconds=LOOK_AGAIN)


def _remaining(mode: str, main_pid: int, invocation: str) -> list[int]:
    if mode == "none":
        return []
    pids = {main_pid} if main_pid else set()
    if mode != "process" and invocation:
        pids.update(process.members(invocation))
    return sorted(pid for pid in pids if alive(pid))


def alive(pid: int) -> bool:
    """True when `pid` runs (a zombie does not)."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in ("Z", "X")
    except OSError:
        return False


def seconds(text: str) -> float:
    """A systemd time span in seconds: ``5``, ``90s``, ``1min 30s``, ``100ms``, ``infinity``."""
    if text == "infinity":
        return 1e9
    factors = {"": 1.0, "s": 1.0, "sec": 1.0, "ms": 0.001, "us": 1e-6, "min": 60.0, "m": 60.0, "h": 3600.0}
    total = 0.0
    for part in text.split():
        number = part.rstrip("abcdefghijklmnopqrstuvwxyz")
        total += float(number or 0) * factors.get(part[len(number) :], 1.0)
    return total
