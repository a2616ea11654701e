"""Writes a file atomically: if writing fails, the old file stays."""

from __future__ import annotations

from pathlib import Path


def replace_content(path: Path, text: str | bytes) -> None:
    """Replace the content of `path` by `text`. Raises OSError and then leaves the old content."""
    content = text if isinstance(text, bytes) else text.encode("utf-8", errors="replace")
    fresh = path.with_name(f".{path.name}.new")
    try:
        fresh.write_bytes(content)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
