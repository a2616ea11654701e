"""Bounded readers for what others send: a node, a BMC, a pod or a bundle can cost its own answer, and never our memory or time.

The limits are data with their reasons (``foreign_limits.yaml``). What is over a limit raises `RefusedAnswerError`, which carries the beginning
of it: that is kept as evidence.
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
"""What zlib calls a gzip file with the largest window."""
NESTING = re.compile(rb'"(?:[^"\\]|\\.)*+"|[\[{]|[\]}]', re.DOTALL)
"""Texts of a JSON document, whose brackets do not count, and brackets."""


@dataclass(frozen=True)
class ForeignLimit:
    """How much of one kind of answer is read; zero where there is no such limit."""

    reason: str
    bytes: int = 0
    depth: int = 0
    values: int = 0
    documents: int = 0
    seconds: float = 0.0


class RefusedAnswerError(ValueError):
    """An answer is over its limit, or nothing that could have been sent."""

    def __init__(self, message: str, content: bytes | bytearray = b"") -> None:
        super().__init__(message)
        self.beginning = bytes(content[: limit("beginning").bytes])
        """What of it is kept."""


@cache
def limit(name: str) -> ForeignLimit:
    """The limit called `name` in ``foreign_limits.yaml``. KeyError for a name that is not there."""
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
    """RefusedAnswerError for a JSON document beyond `most`, seen without parsing it."""
    if len(data) > most.bytes:
        raise RefusedAnswerError(f"a JSON document of more than {size(most.bytes)}", data)
    if values(data) > most.values:
        raise RefusedAnswerError(f"a JSON document of more than {most.values:,} values", data)
    if data.count(b"[") + data.count(b"{") > most.depth and _depth(data) > most.depth:
        raise RefusedAnswerError(f"a JSON document that nests deeper than {most.depth} levels", data)


def values(document: bytes) -> int:
    """No fewer values than the JSON `document` holds, without parsing it."""
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
    """What asyncio, asyncssh and aiohttp read from."""

    async def read(self, n: int = -1) -> bytes:
        """Up to `n` bytes; none at the end."""
        ...


async def read_all(stream: Stream, most: int) -> bytes:
    """Everything that `stream` gives until it ends. RefusedAnswerError beyond `most` bytes."""
    content = bytearray()
    while block := await stream.read(BLOCK):
        content += block
        if len(content) > most:
            raise RefusedAnswerError(f"more than {size(most)}", content)
    return bytes(content)


def size(count: int) -> str:
    """Bytes in words."""
    return f"{count >> 20} MiB" if count >= 1 << 20 else f"{count} bytes"
