"""Waiting in tests: for a condition, never for a time. The bound only ends a test that would hang, on however slow a machine."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 600.0
"""Seconds after which something that was waited for does not come any more."""
POLL = 0.05


def until(holds: Callable[[], object], says: object = "what was waited for does not come", poll: float = POLL) -> None:
    """Return when `holds` is true; AssertionError with `says` (called when it can be) when it never is."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, says() if callable(says) else says
        time.sleep(poll)
