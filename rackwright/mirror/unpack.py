"""Unpacks the indexes of upstreams, up to a size limit."""

from __future__ import annotations

import bz2
import lzma
import zlib
from collections.abc import Callable
from typing import Protocol

from rackwright.base import foreign, foreign_command

INDEX = foreign.limit("mirror_index")
XZ_MEMORY = 256 << 20
"""Bytes that an xz decoder may use: `xz -9` asks for 65 MiB (xz(1))."""


class _Stream(Protocol):
    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


STREAMS: dict[str, Callable[[], _Stream]] = {
    ".xz": lambda: lzma.LZMADecompressor(memlimit=XZ_MEMORY),
    ".gz": lambda: zlib.decompressobj(foreign.GZIP),
    ".bz2": bz2.BZ2Decompressor,
}
"""By the ending of a name; best first."""


def unpack(name: str, data: bytes) -> str:
    """The text of an index file, unpacked by the ending of its `name`. ValueError if it is damaged, not text, or over the limit."""
    ending = next((ending for ending in STREAMS if name.endswith(ending)), "")
    try:
        if name.endswith(".zst"):
            return _zstd(name, data).decode()
        return _streams(data, STREAMS[ending]).decode() if ending else data.decode()
    except (lzma.LZMAError, zlib.error, OSError, EOFError) as error:
        raise ValueError(f"{name} cannot be unpacked: {error}") from error
    except foreign.RefusedAnswerError as error:
        raise ValueError(f"{name} holds {error}, which no index does") from error


def _streams(data: bytes, begin: Callable[[], _Stream]) -> bytes:
    """One stream after the other, as the programs of these formats read them."""
    content = bytearray()
    while data:
        stream = begin()
        content += stream.decompress(data, INDEX.bytes + 1 - len(content))
        if len(content) > INDEX.bytes:
            raise foreign.RefusedAnswerError(f"more than {foreign.size(INDEX.bytes)} after decompression")
        if not stream.eof:
            raise EOFError("it ends early")
        data = stream.unused_data
    return bytes(content)


def _zstd(name: str, data: bytes) -> bytes:
    try:
        status, output, error = foreign_command.run(["zstd", "-dcq"], INDEX, data)
    except FileNotFoundError:
        raise ValueError(f"{name} needs the program zstd: install it") from None
    except TimeoutError:
        raise ValueError(f"{name} takes longer than {INDEX.seconds:g} s to unpack") from None
    if status:
        raise ValueError(f"{name} cannot be unpacked: {error.decode(errors='replace').strip()}")
    return output
