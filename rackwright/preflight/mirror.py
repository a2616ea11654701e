"""The mirror of packages: its key and its signed index must come, and the one must have signed the other."""

from __future__ import annotations

import asyncio
from http import HTTPStatus

import aiohttp

from rackwright.base import foreign
from rackwright.mirror import signature
from rackwright.mirror.layout import PUBLIC_KEY
from rackwright.preflight.result import ProbeError, ProbeReading

STARTED = "start its web server, or check software.apt_mirror"


async def ask(mirror: str, index: str, seconds: float) -> ProbeReading:
    """Who signed the index at path `index` below the URL `mirror`; ``repomd.xml`` has its signature beside it."""
    timeout = aiohttp.ClientTimeout(total=seconds)
    async with aiohttp.ClientSession(timeout=timeout, auto_decompress=False) as http:
        key = await _fetch(http, f"{mirror}/{PUBLIC_KEY}")
        text = await _fetch(http, f"{mirror}/{index}")
        detached = await _fetch(http, f"{mirror}/{index}.asc") if index.endswith(".xml") else b""
    ring = signature.Ring(key)
    try:
        if detached:
            signer = await asyncio.to_thread(signature.verify_detached, text, detached, ring)
        else:
            _, signer = await asyncio.to_thread(signature.read_clearsigned, text, ring)
    except signature.SignatureError as problem:
        raise ProbeError(
            f"{mirror}/{index} is not signed by {PUBLIC_KEY} ({problem}): run `rackwright mirror sync` again"
        ) from None
    return ProbeReading(f"{index} signed by {signer}")


async def _fetch(http: aiohttp.ClientSession, url: str) -> bytes:
    try:
        async with http.get(url, allow_redirects=False) as response:
            content = await foreign.read_all(response.content, foreign.limit("mirror_small").bytes)
    except TimeoutError:
        raise ProbeError(f"{url} did not come in {http.timeout.total:g} s: {STARTED}") from None
    except (aiohttp.ClientError, OSError) as error:
        raise ProbeError(f"{url} cannot be fetched ({error}): {STARTED}") from None
    except foreign.RefusedAnswerError as excess:
        raise ProbeError(f"{url} is {excess}: find out what answers there in place of a mirror") from None
    if response.status != HTTPStatus.OK:
        raise ProbeError(
            f"{url} answers {response.status} {response.reason}: run `rackwright mirror sync`, and serve its folder"
        )
    return content
