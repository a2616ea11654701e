"""Raw outputs by the SHA-256 of their bytes: written atomically once, compressed, never changed."""

from __future__ import annotations

import gzip
import os
import re
import secrets
import zlib
from collections.abc import Sequence
from pathlib import Path

from rackwright.base import foreign
from rackwright.base.durable_file import sync_folder
from rackwright.collect.store.hash_chain import digest

LEVEL = 6
"""Compression level: logs shrink to a tenth, and higher levels hardly shrink them further."""
MOST = foreign.limit("stored_object").bytes
"""Largest size of one object in bytes, unpacked: a bundle from others may contain anything."""
WINDOW = 64 * 1024
"""Bytes read at once: most packed objects are smaller, and most contents fit into it, so that one system call each is
enough.
"""
NOTHING = digest(b"")
"""Hash of empty output, the most frequent one."""
HASH = re.compile(r"[0-9a-f]{64}")


class ObjectFolder:
    """The objects below `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: set[str] = set()
        """Objects that are known to exist."""

    def put(self, content: bytes, level: int = LEVEL) -> str:
        """Store `content` durably and return its hash; with `level` 0 it is not compressed, so that reading it takes no
        time.
        """
        return self.put_all([content], level)[0]

    def put_all(self, contents: Sequence[bytes], level: int = LEVEL) -> list[str]:
        """Store all of `contents` durably and return their hashes, in order; each object is complete or does not exist,
        whatever happens.
        """
        names = [digest(content) for content in contents]
        missing = {name: content for name, content in zip(names, contents, strict=True) if not self._has(name)}
        unfinished = {name: self._write(name, content, level) for name, content in missing.items()}
        for _, file in unfinished.values():  # written first and synchronised later: the disk takes them together
            os.fsync(file)
            os.close(file)
        for name, (path, _) in unfinished.items():
            path.replace(self._path(name))
        for folder in {self._path(name).parent for name in missing}:
            sync_folder(folder)
        self._known.update(missing)
        return names

    def _has(self, name: str) -> bool:
        """Whether the object exists and is unchanged: collecting again must repair a damaged object, also if machines
        answer the same again.
        """
        if name not in self._known and self._path(name).exists() and self._sound(name):
            self._known.add(name)
        return name in self._known

    def _sound(self, name: str) -> bool:
        try:
            return digest(self._unpacked(name)) == name
        except ValueError:
            return False

    def _write(self, name: str, content: bytes, level: int) -> tuple[Path, int]:
        path = self._path(name)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished = path.with_name(f".{name}.{secrets.token_hex(4)}")
        file = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        packed = memoryview(gzip.compress(content, level, mtime=0))
        while packed:
            packed = packed[os.write(file, packed) :]
        return unfinished, file

    def get(self, name: str) -> bytes:
        """The bytes with that hash. ValueError if they are missing or were changed."""
        if name == NOTHING:
            return b""
        if not HASH.fullmatch(name):
            raise ValueError(f"{name!r} is not a hash")
        content = self._unpacked(name)
        if digest(content) != name:
            raise ValueError(f"the raw output {name[:12]}… was changed after it was written")
        return content

    def _unpacked(self, name: str) -> bytes:
        try:
            return foreign.unpack(_file_bytes(f"{self._folder}/{name[:2]}/{name}.gz"), MOST)
        except FileNotFoundError:
            raise ValueError(f"the raw output {name[:12]}… is missing") from None
        except (OSError, zlib.error, foreign.RefusedAnswerError) as error:
            raise ValueError(f"the raw output {name[:12]}… cannot be read: {error}") from error

    def _path(self, name: str) -> Path:
        return self._folder / name[:2] / f"{name}.gz"


def _file_bytes(path: str) -> bytes:
    """The bytes of a file.

    A site has a million of them, and a file object costs as much as the reading: 13 instead of 7 us.
    """
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        parts = [os.read(file, WINDOW)]
        while parts[-1]:
            parts.append(os.read(file, WINDOW))
    finally:
        os.close(file)
    return b"".join(parts)
