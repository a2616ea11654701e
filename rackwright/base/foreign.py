"""Bounded readers for input from others: a node, a BMC, a pod or a bundle can spoil its own answer, but never use up
our memory or time.

The limits are data with their reasons (``foreign_limits.yaml``). Input over a limit raises `RefusedAnswerError`, which
carries its beginning to keep as evidence.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from rackwright.base import yaml_text

BLOCK = 1 << 16
GZIP = 31
"""zlib's window bits for a gzip file with the largest window."""
NESTING = re.compile(rb'"(?:[^"\\]|\\.)*+"|[\[{]|[\]}]', re.DOTALL)
"""Strings of a JSON document, whose brackets do not count, and brackets."""


@dataclass(frozen=True)
class ForeignLimit:
    """Limits for one kind of answer; zero if there is no such limit."""

    reason: str
    bytes: int = 0
    depth: int = 0
    values: int = 0
    documents: int = 0
    seconds: float = 0.0


class RefusedAnswerError(ValueError):
    """An answer exceeds its limit, or cannot have been sent."""

    def __init__(self, message: str, content: bytes | bytearray = b"") -> None:
        super().__init__(message)
        self.beginning = bytes(content[: limit("beginning").bytes])
        """The part of the answer that is kept."""


@cache
def limit(name: str) -> ForeignLimit:
    """The limit `name` of ``foreign_limits.yaml``. KeyError for an unknown name."""
    return ForeignLimit(**_limits()[name])


@cache
def _limits() -> dict[str, dict[str, Any]]:
    text = Path(__file__).with_name("foreign_limits.yaml").read_text(encoding="utf-8")
    limits: dict[str, dict[str, Any]] = yaml_text.load(text)
    return limits


def json_document(content: bytes | str, most: ForeignLimit, parse: Callable[[bytes | str], Any] = json.loads) -> Any:
    """The JSON document in `content`. RefusedAnswerError beyond `most`; ValueError for malformed JSON."""
    refuse_document(content.encode(errors="surrogatepass") if isinstance(content, str) else content, most)
    return parse(content)


def refuse_document(data: bytes, most: ForeignLimit) -> None:
    """RefusedAnswerError for a JSON document beyond `most`, without parsing it."""
    if len(data) > most.bytes:
        raise RefusedAnswerError(f"a JSON document of more than {size(most.bytes)}", data)
    if values(data) > most.values:
        raise RefusedAnswerError(f"a JSON document of more than {most.values:,} values", data)
    if data.count(b"[") + data.count(b"{") > most.depth and _depth(data) > most.depth:
        raise RefusedAnswerError(f"a JSON document that nests deeper than {most.depth} levels", data)


def values(document: bytes) -> int:
    """Upper bound of the number of values in the JSON `document`, without parsing it."""
    return document.count(b",") + document.count(b"[") + document.count(b"{")


def _depth(data: bytes) -> int:
    deepest = depth = 0
    for match in NESTING.finditer(data):
        mark = match[0]
        if mark in (b"[", b"{"):
            depth += 1
            deepest = max(deepest, depth)
        elif mark in (b"]", b"}"):
            depth -= 1
    return deepest


def unpack(packed: bytes, most: int, kind: int = GZIP) -> bytes:
    """`packed`, decompressed. RefusedAnswerError beyond `most` bytes; zlib.error for bytes that are no such stream, or end early."""
    stream = zlib.decompressobj(kind)
    content = stream.decompress(packed, most + 1)
    if len(content) > most:
        raise RefusedAnswerError(f"more than {size(most)} after decompression", content)
    if not stream.eof:
        raise zlib.error("incomplete or truncated stream")
    return content


class Stream(Protocol):
    """A readable stream of asyncio, asyncssh or aiohttp."""

    async def read(self, n: int = -1) -> bytes:
        """Up to `n` bytes; none at the end."""
        ...


async def read_all(stream: Stream, most: int) -> bytes:
    """Everything that `stream` returns until its end. RefusedAnswerError beyond `most` bytes."""
    content = bytearray()
    while block := await stream.read(BLOCK):
        content += block
        if len(content) > most:
            raise RefusedAnswerError(f"more than {size(most)}", content)
    return bytes(content)


def size(count: int) -> str:
    """A number of bytes in words."""
    return f"{count >> 20} MiB" if count >= 1 << 20 else f"{count} bytes"
