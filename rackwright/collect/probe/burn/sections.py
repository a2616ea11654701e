"""Prints output of other tools in sections: ``# gemm device=0 precision=bf16 from=0.0 until=33.2``, then the output of
the tool.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence

from .failure import Missing
from .together import together

_LOCK = threading.Lock()
SAMPLE_SECONDS = 5.0
TOOL_SECONDS = 600.0


def say(kind: str, text: str, **facts: object) -> None:
    """Print one section."""
    head = " ".join(["#", kind, *(f"{name}={value}" for name, value in facts.items())])
    with _LOCK:
        sys.stdout.write(f"{head}\n{text.rstrip()}\n")
        sys.stdout.flush()


def read(words: Sequence[str]) -> str:
    """Standard output of a tool; Missing if it fails or hangs."""
    try:
        done = subprocess.run(list(words), capture_output=True, timeout=TOOL_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Missing(f"{' '.join(words)}: {error}") from None
    output = done.stdout.decode(errors="replace")
    if done.returncode:
        message = (done.stderr.decode(errors="replace").strip() or output.strip() or "no reason given").splitlines()
        raise Missing(f"{' '.join(words)} ended with status {done.returncode}: {message[-1]}")
    return output


class Stopwatch:
    """Measures seconds since its creation."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    def now(self) -> float:
        """Seconds since the creation, rounded to hundredths."""
        return round(time.monotonic() - self._began, 2)


def sampled(look: Callable[[], None], count: int, work: Callable[[int], None]) -> None:
    """Run ``work(0)`` to ``work(count - 1)`` in parallel, and `look` every few seconds meanwhile; a look that fails is
    skipped.
    """
    ends = threading.Event()

    def follow() -> None:
        while not ends.wait(SAMPLE_SECONDS):
            try:
                look()
            except Missing:
                continue

    thread = threading.Thread(target=follow, daemon=True)
    thread.start()
    try:
        together(count, work)
    finally:
        ends.set()
        thread.join()
