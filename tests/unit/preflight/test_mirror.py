"""The probe of the mirror: key and index over HTTP, checked by gpgv."""

from __future__ import annotations

import asyncio

import pytest

from rackwright.preflight import mirror
from rackwright.preflight.result import ProbeError
from tests.unit.mirror.conftest import Server
from tests.unit.mirror.conftest import gpg as gpg

INDEX, REPOMD = "dists/stable/InRelease", "rpm/rocky-9/x86_64/repodata/repomd.xml"


@pytest.fixture
def served(tmp_path, gpg):
    """A mirror with a suite of apt and a repository of rpm, both signed by its key."""
    files = {
        "rackwright-mirror.asc": gpg.public("vendor"),
        INDEX: gpg.clearsign("vendor", b"Suite: stable\n"),
        REPOMD: b"<repomd/>",
        f"{REPOMD}.asc": gpg.detach("vendor", b"<repomd/>", armor=True),
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    server = Server(tmp_path)
    yield server
    server.stop()


@pytest.mark.parametrize("index", [INDEX, REPOMD])
def test_an_index_that_the_key_of_the_mirror_signed_passes(served, gpg, index):
    assert gpg.prints["vendor"] in asyncio.run(mirror.ask(served.url, index, 5)).text


def test_an_index_that_another_key_signed_fails(served, gpg, tmp_path):
    (tmp_path / INDEX).write_bytes(gpg.clearsign("other", b"Suite: stable\n"))
    with pytest.raises(
        ProbeError, match=r"InRelease is not signed by rackwright-mirror.asc \(.*whose key was not given"
    ):
        asyncio.run(mirror.ask(served.url, INDEX, 5))


def test_a_mirror_without_the_index_fails(served):
    with pytest.raises(ProbeError, match="answers 404"):
        asyncio.run(mirror.ask(served.url, "dists/debian-12/InRelease", 5))


def test_a_mirror_that_does_not_run_fails(served):
    served.stop()
    with pytest.raises(ProbeError, match=r"cannot be fetched .*start its web server"):
        asyncio.run(mirror.ask(served.url, INDEX, 5))
