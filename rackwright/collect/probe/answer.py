"""The shape of one line of output."""

from __future__ import annotations

import base64
from datetime import datetime, timezone
from typing import Any

MOST_STDERR = 64 * 1024
"""Bytes of standard error that are kept: enough for any message, too little for a runaway log."""


def line(
    identity: str, rc: int | None, stdout: bytes, stderr: bytes, seconds: float, error: str | None, tool: str
) -> dict[str, Any]:
    """One answer as it goes over the wire."""
    return {
        "id": identity,
        "rc": rc,
        "stdout": base64.b64encode(stdout).decode(),
        "stderr": base64.b64encode(stderr[:MOST_STDERR]).decode(),
        "seconds": round(seconds, 3),
        "error": error,
        "tool": tool,
        "clock": datetime.now(timezone.utc).isoformat(),  # noqa: UP017 - datetime.UTC came with Python 3.11
    }


def failed(identity: str, error: str, seconds: float) -> dict[str, Any]:
    """The answer to a question that nothing ran for."""
    return line(identity, None, b"", b"", seconds, error, "")
