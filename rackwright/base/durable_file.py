"""Writes files durably: to a temporary file in the same folder, synced, renamed, and the folder synced.

A process that is killed at any moment, or a machine that loses power, leaves the old file or the new one, never a part
of one (rename(2), fsync(2)).
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

NEW = 0o666
"""Mode of a new file, before the umask."""


def replace_file(path: Path, content: str | bytes, mode: int | None = None) -> None:
    """Write `content` as the file `path`; see `replacing`."""
    with replacing(path, mode) as file:
        file.write(content if isinstance(content, bytes) else content.encode())


@contextmanager
def replacing(path: Path, mode: int | None = None) -> Iterator[BinaryIO]:
    """A stream for the new content of `path`, which replaces the old content at the end of the block, unless the block
    raises.

    The file keeps its mode unless `mode` is given. A link stays, and the file that it names is replaced; a device or a
    pipe (``/dev/stdout``) is written to. Raises OSError.
    """
    target = path.resolve()
    if target.exists() and not target.is_file():
        with target.open("wb") as stream:
            yield stream
        return
    fresh = _temporary_path(target)
    try:
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode or NEW), "wb") as file:
            if mode or target.exists():
                os.fchmod(file.fileno(), mode or target.stat().st_mode & 0o7777)
            yield file
            _sync(file)
        fresh.replace(target)
        sync_folder(target.parent)
    finally:
        fresh.unlink(missing_ok=True)


def create_file(path: Path, content: str | bytes, mode: int = NEW) -> None:
    """Write `content` as the new file `path`. Raises FileExistsError if there is one, and OSError.

    Of two that create it at the same time one succeeds: the other waits until it is there.
    """
    fresh = _temporary_path(path)
    try:
        _refuse_existing(path)
        with os.fdopen(os.open(fresh, os.O_RDWR | os.O_CREAT, mode), "r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            _refuse_existing(path)  # the file that was waited for may be it by now
            if mode != NEW:
                os.fchmod(file.fileno(), mode)
            file.truncate()  # a killed one may have begun it
            file.write(content if isinstance(content, bytes) else content.encode())
            _sync(file)
            fresh.rename(path)
        sync_folder(path.parent)
    finally:
        fresh.unlink(missing_ok=True)


def _refuse_existing(path: Path) -> None:
    if path.exists():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))


def secret_file(path: Path, fresh: Callable[[], str | bytes]) -> bytes:
    """The content of `path`, which its owner alone may read. It is made by `fresh` on first use: runs at the same time all get the same. Raises OSError."""
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):
            create_file(path, fresh(), 0o600)
    return path.read_bytes()


def write_synced(path: Path, content: bytes) -> None:
    """Write a file into a folder that is renamed later, when all of its files exist. Raises OSError."""
    with path.open("wb") as file:
        file.write(content)
        _sync(file)


def sync_folder(folder: Path) -> None:
    """Make the names in `folder` durable: syncing a file does not sync its name."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


def _temporary_path(path: Path) -> Path:
    return path.with_name(f".{path.name}.new")
