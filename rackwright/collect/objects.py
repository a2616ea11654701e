"""Raw outputs by the SHA-256 of their bytes: written once, whole or not at all, compressed, never changed.

In: bytes. Out: their hash, and the bytes again, proven to be the same. Split from the store because it knows nothing of
runs or nodes; outputs that are equal share one file.
"""

from __future__ import annotations

import gzip
import os
import re
import secrets
import zlib
from pathlib import Path

from rackwright.collect.chain import digest

HASH = re.compile(r"[0-9a-f]{64}")


class Objects:
    """The objects below `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, content: bytes) -> str:
        """Keep `content` durably and return its hash."""
        name = digest(content)
        path = self._path(name)
        if path.exists():
            return name
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished = path.with_name(f".{name}.{secrets.token_hex(4)}")
        with unfinished.open("xb") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write(gzip.compress(content, mtime=0))
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
        sync_folder(path.parent)
        return name

    def get(self, name: str) -> bytes:
        """The bytes with that hash. ValueError, with a sentence, when they are missing or are not the same any more."""
        if not HASH.fullmatch(name):
            raise ValueError(f"{name!r} is not a hash")
        try:
            content = gzip.decompress(self._path(name).read_bytes())
        except FileNotFoundError:
            raise ValueError(f"the raw output {name[:12]}… is missing") from None
        except (OSError, EOFError, zlib.error) as error:
            raise ValueError(f"the raw output {name[:12]}… cannot be read: {error}") from error
        if digest(content) != name:
            raise ValueError(f"the raw output {name[:12]}… was changed after it was written")
        return content

    def _path(self, name: str) -> Path:
        return self._folder / name[:2] / f"{name}.gz"


def sync_folder(folder: Path) -> None:
    """Make the names in `folder` durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
