"""Reads the bytes of a site file as text, or reports the line at which they are not text."""

from __future__ import annotations

import re
from pathlib import Path

from rackwright.base.errors import Problem, ProblemsError, UsageError

MAX_BYTES = 4_000_000
"""Larger files are not site files: the largest published reference needs under 10 kB."""

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]|\ufeff")


def read_source(file: Path) -> str:
    """The text of `file`, without a byte order mark."""
    try:
        with file.open("rb") as handle:
            raw = handle.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}; check its permissions") from error
    if len(raw) > MAX_BYTES:
        raise UsageError(f"{file} is larger than {MAX_BYTES} bytes; name a site file")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ProblemsError([_not_text(file, line, f"byte 0x{raw[error.start]:02x}")]) from error
    hit = _CONTROL.search(text)
    if hit:
        line = text.count("\n", 0, hit.start()) + 1
        raise ProblemsError([_not_text(file, line, f"control character U+{ord(hit[0]):04X}")])
    return text


def _not_text(file: Path, line: int, actual: str) -> Problem:
    return Problem(
        place=f"{file}:{line}",
        path="",
        message="the file is not plain text",
        expected="YAML in UTF-8 without control characters",
        found=actual,
        next_step="save the file as UTF-8 text",
        code="spec.not_text",
    )
