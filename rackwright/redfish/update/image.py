"""Firmware images: fetched once per run from the site's mirror, and of the declared digest before a BMC gets them."""

from __future__ import annotations

import asyncio
import hashlib
from collections import defaultdict
from pathlib import Path

import aiohttp

from rackwright.base.durable_file import replacing
from rackwright.base.errors import OutsideError

CHUNK = 1 << 20
CONNECT_SECONDS = 10.0
SILENT_SECONDS = 60.0


class FirmwareImages:
    """The images of one run, kept in `folder` by digest."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def fetch(self, url: str, sha256: str) -> Path:
        """The file behind `url`, which has the digest `sha256` (64 hex digits); OutsideError for another one, or none."""
        path = self._folder / f"{sha256}-{url.rpartition('/')[2]}"
        async with self._locks[sha256]:
            if not path.exists():
                await self._download(url, sha256, path)
        return path

    async def _download(self, url: str, sha256: str, path: Path) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        digest = hashlib.sha256()
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS, sock_read=SILENT_SECONDS)
        try:
            async with aiohttp.ClientSession(timeout=timeout, raise_for_status=True) as http, http.get(url) as response:
                with replacing(path, 0o600) as file:
                    async for piece in response.content.iter_chunked(CHUNK):
                        digest.update(piece)
                        file.write(piece)
                    _require_same(url, digest.hexdigest(), sha256)
        except (aiohttp.ClientError, TimeoutError) as error:
            raise OutsideError(
                f"the firmware image {url} cannot be fetched ({_reason(error)}): put it into the site's mirror, then run again; nothing was sent to a BMC"
            ) from error


def _require_same(url: str, received: str, sha256: str) -> None:
    if received != sha256:
        raise OutsideError(
            f"the firmware image {url} has the SHA-256 {received}, expected {sha256}: it is another file than the site declares; "
            "fetch it anew from its maker, and compare the digest that the maker gives; nothing was sent to a BMC"
        )


def _reason(error: Exception) -> str:
    if isinstance(error, aiohttp.ClientResponseError):
        return f"HTTP {error.status}"
    return "no answer in time" if isinstance(error, TimeoutError) else type(error).__name__
