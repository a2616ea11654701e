"""Writes a file whole or not at all: an old one survives a write that fails."""

from __future__ import annotations

from pathlib import Path


def write(path: Path, text: str | bytes) -> None:
    """Puts `text` into `path`. Raises OSError, and then leaves what was there."""
    content = text if isinstance(text, bytes) else text.encode("utf-8", errors="replace")
    fresh = path.with_name(f".{path.name}.new")
    try:
        fresh.write_bytes(content)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
