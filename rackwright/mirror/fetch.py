"""Fetches files completely or not at all: several at once, continued after interruptions, retried, checked.

Partial files are kept under their expected digest, so the next run continues there.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import unquote, urlsplit

import aiohttp

from rackwright.base import foreign

DIGEST = re.compile("[0-9a-f]{64}")
SMALL = foreign.limit("mirror_small")
ATTEMPTS = 5
"""Attempts per file; with the pauses below they take a quarter of a minute."""
FIRST_PAUSE_SECONDS = 1.0
"""Pause before the second attempt; each further one is twice as long."""
CONNECT_SECONDS = 15.0
SILENCE_SECONDS = 60.0
"""A connection on which nothing came for so long is given up."""
BLOCK = 1 << 20
AGAIN = (408, 425, 429, 500, 502, 503, 504)
"""HTTP answers after which asking again may help (RFC 9110)."""


class FetchError(Exception):
    """A file could not be fetched: the reason, and what to do."""

    def __init__(self, reason: str, next_step: str, code: str = "mirror.not_fetched", *, missing: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.next_step = next_step
        self.code = code
        self.missing = missing
        """Whether the upstream says that there is no such file."""


class _AgainError(Exception):
    """A temporary failure, worth another try."""


@dataclass(frozen=True)
class Transfer:
    """One file to fetch."""

    url: str
    target: Path
    sha256: str = ""
    """Empty when it is not known; then nothing can be continued."""
    size: int | None = None
    headers: tuple[tuple[str, str], ...] = ()
    most: int = 0
    """Bytes beyond which it is refused; zero: `size`, or none."""


@dataclass(frozen=True)
class Fetched:
    """A fetched file."""

    sha256: str
    size: int
    bytes_read: int
    """What went over the network: less than `size` where a part was there."""


class Fetcher:
    """A session with the upstreams. `partial` is the folder for unfinished files, `jobs` the number of parallel transfers."""

    def __init__(self, partial: Path, jobs: int) -> None:
        self._partial = partial
        self._slots = asyncio.Semaphore(jobs)
        limits = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS, sock_read=SILENCE_SECONDS)
        self._session = aiohttp.ClientSession(timeout=limits, trust_env=True, auto_decompress=False)

    async def __aenter__(self) -> Self:
        self._partial.mkdir(parents=True, exist_ok=True)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._session.close()

    @property
    def session(self) -> aiohttp.ClientSession:
        """The HTTP session, for protocols that are more than files."""
        return self._session

    async def small(self, url: str) -> bytes:
        """The content of a small file; FetchError when it does not come."""
        target = self._partial / f"small-{hashlib.sha256(url.encode()).hexdigest()[:32]}"
        try:
            async with asyncio.timeout(SMALL.seconds):
                await self.file(Transfer(url, target, most=SMALL.bytes))
            return target.read_bytes()
        except TimeoutError:
            step = "is the upstream up and fast enough? run again, or name a mirror of it with --upstream"
            raise FetchError(f"it did not come within {SMALL.seconds:g} s", step, "mirror.upstream_down") from None
        finally:
            target.unlink(missing_ok=True)

    async def file(self, item: Transfer) -> Fetched:
        """Fetch one file to its place; FetchError when it does not come or is not what was expected."""
        if item.sha256 and not DIGEST.fullmatch(item.sha256):  # it names files here
            reason = f"an index that calls {item.sha256[:80]!r} a SHA-256"
            raise FetchError(reason, "do not take packages from there; ask its keeper", "mirror.not_trusted")
        async with self._slots:
            pause = FIRST_PAUSE_SECONDS
            for attempt in range(1, ATTEMPTS + 1):
                try:
                    return await self._attempt(item)
                except (_AgainError, aiohttp.ClientError, TimeoutError) as error:
                    if attempt == ATTEMPTS:
                        reason = f"{str(error) or type(error).__name__}, {ATTEMPTS} times"
                        step = "is the upstream up and reachable from here? run again: what has come is kept"
                        raise FetchError(reason, step, "mirror.upstream_down") from error
                await asyncio.sleep(pause)
                pause *= 2
        raise AssertionError("the loop returns or raises")

    async def _attempt(self, item: Transfer) -> Fetched:
        part = self._partial / (item.sha256 or f"url-{hashlib.sha256(item.url.encode()).hexdigest()[:32]}")
        if not item.sha256:
            part.unlink(missing_ok=True)
        if urlsplit(item.url).scheme == "file":
            read = await asyncio.to_thread(_copied, item.url, part)
        else:
            read = await self._download(item, part)
        return await asyncio.to_thread(_accept, item, part, read)

    async def _download(self, item: Transfer, part: Path) -> int:
        have = _bytes_of(part)
        if item.size is not None and have >= item.size:
            return 0
        headers = dict(item.headers) | ({"Range": f"bytes={have}-"} if have else {})
        async with self._session.get(item.url, headers=headers) as answer:
            if answer.status == 416 and have:
                await asyncio.to_thread(part.unlink)
                raise _AgainError("the upstream could not continue a half-done file")
            _refuse(answer.status, item.url)
            read = 0
            with part.open("ab" if answer.status == 206 else "wb") as stream:
                async for block in answer.content.iter_chunked(BLOCK):
                    stream.write(block)
                    read += len(block)
                    if item.size is not None and stream.tell() > item.size:
                        break
                    if item.most and stream.tell() > item.most:
                        step = "the upstream is not what it should be: look at the address with a browser, or name another with --upstream"
                        raise FetchError(f"more than {foreign.size(item.most)}", step, "mirror.not_trusted")
        return read


def _bytes_of(part: Path) -> int:
    return part.stat().st_size if part.exists() else 0


def _refuse(status: int, url: str) -> None:
    if status in AGAIN:
        raise _AgainError(f"HTTP {status}")
    if status in {404, 410}:
        raise FetchError(
            f"HTTP {status}: the upstream has no such file",
            f"look at {url.rsplit('/', 1)[0]}/ for what it has; a moved repository is named with --upstream NAME=URL",
            "mirror.not_there",
            missing=True,
        )
    if status in {401, 403}:
        raise FetchError(f"HTTP {status}: the upstream wants a login", "give a copy that may be read with --upstream")
    if status not in {200, 206}:
        raise FetchError(f"HTTP {status}", "open the address in a browser and see what it says")


def _copied(url: str, part: Path) -> int:
    path = Path(unquote(urlsplit(url).path))
    try:
        shutil.copyfile(path, part)
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        raise FetchError(
            f"{path}: {error.strerror}", "mount the medium, or name another folder", missing=missing
        ) from error
    return part.stat().st_size


def _accept(item: Transfer, part: Path, read: int) -> Fetched:
    """Move the finished file into place if it has the expected digest."""
    size = part.stat().st_size
    if item.size is not None and size < item.size:
        raise _AgainError(f"the transfer ended after {size:,} of {item.size:,} bytes")
    digest = file_digest(part)
    if (item.size is not None and size != item.size) or (item.sha256 and digest != item.sha256):
        part.unlink()
        if read < size:
            raise _AgainError("the part of an earlier run was damaged and was thrown away")
        raise FetchError(
            f"{size:,} bytes with SHA-256 {digest}",
            "the file is not the one its index lists: a proxy may have changed it, or the upstream is being "
            "updated; run again later, and ask the vendor when it stays",
            "mirror.wrong_digest",
        )
    item.target.parent.mkdir(parents=True, exist_ok=True)
    part.replace(item.target)
    return Fetched(digest, size, read)


def file_digest(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
