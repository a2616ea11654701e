"""One way to write a problem of a cross-check; the caller that knows the file adds the line."""

from __future__ import annotations

from rackwright.base.errors import Problem


def problem(path: str, code: str, message: str, expected: str, actual: str, next_step: str) -> Problem:
    """A problem at the field `path`; its place is filled in from there."""
    return Problem("site", path, message, expected, actual or "empty text", next_step, f"spec.{code}")
