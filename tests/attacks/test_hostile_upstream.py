"""Mirrors, registries and bundles of somebody else: they cost their own reading, and never our memory, our disk or our time."""

from __future__ import annotations

import asyncio
import bz2
import gzip
import lzma
import shutil
import subprocess
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from rackwright import attest
from rackwright.attest import bundle_check
from rackwright.base import foreign
from rackwright.base.errors import ProblemsError
from rackwright.collect.store import hash_chain
from rackwright.mirror import fetch, registry, rpm_index, unpack
from rackwright.mirror.fetch import Fetcher, FetchError, Transfer
from tests import hurried

SMALL = foreign.ForeignLimit("test", bytes=1 << 20, depth=32, values=1000, seconds=1, documents=5)


def zstd(data: bytes) -> bytes:
    if not shutil.which("zstd"):
        pytest.skip("no zstd")
    return subprocess.run(["zstd", "-cq"], input=data, capture_output=True, check=True).stdout


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "Packages.xz": lzma.compress,
    "Packages.gz": gzip.compress,
    "Packages.bz2": bz2.compress,
    "primary.xml.zst": zstd,
}


@pytest.mark.parametrize("name", PACKERS)
def test_an_index_is_unpacked_up_to_the_limit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpack, "INDEX", foreign.ForeignLimit("test", bytes=1 << 20, seconds=60))
    pack = PACKERS[name]
    assert unpack.unpack(name, pack(b"x" * (1 << 20))) == "x" * (1 << 20)
    assert unpack.unpack(name, pack(b"a\n") + pack(b"b\n")) == "a\nb\n", "one stream after the other"
    with pytest.raises(ValueError, match="more than 1 MiB") as refused:
        unpack.unpack(name, pack(b"\0" * (64 << 20)))
    assert name in str(refused.value)


@pytest.mark.parametrize("name", PACKERS)
def test_a_damaged_index_is_a_sentence(name: str) -> None:
    packed = PACKERS[name](bytes(range(256)) * 100)
    for damaged in (packed[:-9], b"garbage", packed[:20] + b"\xff" * 20 + packed[40:]):
        with pytest.raises(ValueError, match=r"cannot be unpacked|codec"):
            unpack.unpack(name, damaged)


def test_an_xz_that_asks_for_gigabytes_of_memory() -> None:
    greedy = lzma.compress(b"x", filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 30}])
    with pytest.raises(ValueError, match=r"Packages\.xz cannot be unpacked"):
        unpack.unpack("Packages.xz", greedy)


def test_a_summary_of_a_million_elements() -> None:
    with pytest.raises(ValueError, match="more than 400,000 elements"):
        rpm_index.parts(b"<a/>" * 400_001)


Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


def served(answer: Answer, ask: Callable[[str], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        runner = web.ServerRunner(web.Server(answer), shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        try:
            return await ask(f"127.0.0.1:{runner.addresses[0][1]}")
        finally:
            await runner.cleanup()

    return hurried.run(run())


async def endless(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    while True:
        await response.write(b"x" * 65536)


async def dripping(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    while True:
        await response.write(b"x")
        await asyncio.sleep(0.4)


@pytest.mark.parametrize(("answer", "words"), [(endless, "more than 1 MiB"), (dripping, "did not come within 1 s")])
def test_the_root_of_a_repository_that_never_ends(
    answer: Answer, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetch, "SMALL", SMALL)

    async def ask(address: str) -> None:
        async with Fetcher(tmp_path / "partial", 1) as fetcher:
            with pytest.raises(FetchError, match=words):
                await fetcher.small(f"http://{address}/InRelease")

    served(answer, ask)
    assert sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) < 4 << 20


def test_a_digest_names_no_file_here(tmp_path: Path) -> None:
    """An index that is not signed itself lists what it likes; its digests named the files on their way."""

    async def answer(_request: web.Request) -> web.StreamResponse:
        return web.Response(body=b"* * * * * root id\n")

    async def ask(address: str) -> None:
        async with Fetcher(tmp_path / "mirror" / "partial", 1) as fetcher:
            for digest in ("../../evil", "/tmp/evil", "A" * 64, "0" * 63):
                with pytest.raises(FetchError, match=r"calls .* a SHA-256"):
                    await fetcher.file(Transfer(f"http://{address}/x", tmp_path / "x", digest))

    served(answer, ask)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize(
    "body",
    [b"[" * 100_000, b"{}", b"[]", b"7", b'{"manifests": ["x"]}', b'{"config": {"digest": "../../x", "size": 1}, "layers": []}', None],
    ids=["deep", "empty", "list", "number", "texts", "digest that is a path", "endless"],
)  # fmt: skip
def test_a_registry_that_answers_no_manifest(body: bytes | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "ANSWER", SMALL)

    async def answer(request: web.Request) -> web.StreamResponse:
        kind = "application/vnd.oci.image.index.v1+json" if body and b"manifests" in body else registry.MANIFESTS[0]
        return web.Response(body=body, content_type=kind) if body is not None else await endless(request)

    async def ask(address: str) -> None:
        import aiohttp

        async with aiohttp.ClientSession() as session:
            with pytest.raises(ProblemsError, match="the image did not come"):
                await registry.Registry(session).image(f"{address}/a/b:1", "amd64")

    served(answer, ask)


def bundle_problems(folder: Path) -> str:
    return "\n".join(map(str, attest.check_bundle(folder).problems))


def test_a_file_of_a_bundle_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sparse file takes no place where it lies, and all memory where it is read."""
    monkeypatch.setattr(bundle_check, "FILE", SMALL)
    monkeypatch.setattr(bundle_check, "DOCUMENT", SMALL)
    with (tmp_path / bundle_check.ENVELOPE).open("wb") as file:
        file.truncate(1 << 40)
    assert "it is larger than 1 MiB, which no file of a bundle is" in bundle_problems(tmp_path)


def test_a_bundle_of_too_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle_check, "FILE", SMALL)
    for number in range(6):
        (tmp_path / str(number)).touch()
    assert "it holds more than 5 files" in bundle_problems(tmp_path)


@pytest.mark.parametrize("content", [b"[" * 200_000, b'{"payload": ' + b"[" * 200_000, b"\xff", b"7", b"null"])
def test_an_envelope_that_is_none(content: bytes, tmp_path: Path) -> None:
    (tmp_path / bundle_check.ENVELOPE).write_bytes(content)
    assert "the attestation is no envelope of rackwright" in bundle_problems(tmp_path)


def test_an_entry_of_evidence_that_nests_without_end() -> None:
    index = hash_chain.read(b"[" * 200_000 + b"\n")
    assert index.broken == ((1, "this is not an entry"),)
