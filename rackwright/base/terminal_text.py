"""Makes text of nodes, bundles and files safe for a terminal, a page and every other place where people read it.

A serial number may contain a sequence that moves the cursor or a mark that reverses the direction of text, the name of
a site a newline: none may overwrite or imitate our output.
"""

from __future__ import annotations

import re
from typing import Any, TextIO

_UNSAFE = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
"""Control characters (ECMA-48 C0, DEL, C1), line separators, direction marks (Unicode UAX #9), and lone surrogates."""
_CONTROL = re.compile(f"[{_UNSAFE}]")
_CONTROL_OR_BREAK = re.compile(f"[{_UNSAFE}\n]")


def escape_controls(text: str) -> str:
    """`text` with its control characters as Python writes them (``\\x1b``); newlines and tabs stay."""
    return _CONTROL.sub(_escaped, text)


def as_line(text: object) -> str:
    """`text` as a single line: newlines are escaped as well."""
    return _CONTROL_OR_BREAK.sub(_escaped, str(text))


def escape_json(text: str) -> str:
    """`text`, which is JSON, with these characters as JSON writes them (``\\u202e``): it holds the same data."""
    return _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _escaped(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode()


class EscapingStream:
    """A text stream that escapes the control characters of all text written to it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write `text` escaped; returns its length."""
        self._stream.write(escape_controls(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
