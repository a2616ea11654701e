"""The shape of one line of output."""

from __future__ import annotations

import binascii
import time

TYPE_CHECKING = False
if TYPE_CHECKING:  # every import costs each node milliseconds
    from typing import Any

BOOT = "/proc/sys/kernel/random/boot_id"
MOST_STDERR = 64 * 1024
"""Bytes of standard error that are kept: enough for any message, too few for a runaway log."""


def line(
    identity: str, rc: int | None, stdout: bytes, stderr: bytes, seconds: float, error: str | None, tool: str
) -> dict[str, Any]:
    """One answer as it is sent: a JSON object."""
    return {
        "id": identity,
        "rc": rc,
        "stdout": binascii.b2a_base64(stdout, newline=False).decode(),
        "stderr": binascii.b2a_base64(stderr[:MOST_STDERR], newline=False).decode(),
        "seconds": round(seconds, 3),
        "error": error,
        "tool": tool,
        "clock": _clock(),
        "boot": _boot(),
    }


def _boot() -> str:
    """The id of this boot; empty if the kernel does not report it."""
    try:
        with open(BOOT, encoding="ascii") as file:  # noqa: PTH123 - pathlib takes 10 ms to load
            return file.read().strip()
    except OSError:
        return ""


def _clock() -> str:
    """ISO time in UTC, with microseconds."""
    seconds, rest = divmod(time.time_ns(), 1_000_000_000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{rest // 1000:06d}+00:00"


def failed(identity: str, error: str, seconds: float) -> dict[str, Any]:
    """The answer to a question for which nothing ran."""
    return line(identity, None, b"", b"", seconds, error, "")
