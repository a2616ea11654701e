"""Who may ask: tokens, scopes, expiry, bounded guesses and bounded requests."""

from __future__ import annotations

import asyncio
import json
import ssl
from datetime import timedelta
from pathlib import Path

import aiohttp
import pytest

from rackwright.base.errors import OutsideError, UsageError
from rackwright.serve.server import Certificate
from rackwright.serve.tokens import TokenFile
from rackwright.twin.hosts.certificate_authority import Authority
from tests import hurried
from tests.unit.serve.conftest import NODES, START, bearer, get, play


@pytest.fixture
def file(tmp_path):
    return TokenFile(tmp_path / "tokens.json")


def test_a_token_is_stored_as_its_hash_alone(file) -> None:
    text = file.add("slurm", "read", 1, START)
    stored = file.path.read_text()
    assert text.rpartition(".")[2] not in stored
    assert file.path.stat().st_mode & 0o077 == 0
    assert file.accepted(text, START).name == "slurm"


@pytest.mark.parametrize("change", ["x", "", "é", "\udc80", "rackwright.", "rackwright.slurm."])
def test_what_is_no_token_is_refused(file, change) -> None:
    text = file.add("slurm", "read", 1, START)
    assert file.accepted(change, START) is None
    assert file.accepted(text + change if change == "x" else text[:-1], START) is None


def test_a_token_ends(file) -> None:
    text = file.add("slurm", "read", 1, START)
    assert file.accepted(text, START + timedelta(hours=23))
    assert file.accepted(text, START + timedelta(days=1)) is None
    assert file.add("slurm", "read", 1, START + timedelta(days=1)) != text


def test_names_are_unique_and_well_formed(file) -> None:
    file.add("slurm", "read", 1, START)
    for name in ("slurm", "a.b", "", "A"):
        with pytest.raises(UsageError):
            file.add(name, "read", 1, START)
    with pytest.raises(UsageError, match="there is no token nobody; there are: slurm"):
        file.revoke("nobody")


def test_a_malformed_file_is_named(file) -> None:
    file.path.write_text('{"tokens": [{"name": 1}]}')
    with pytest.raises(OutsideError, match="holds no tokens"):
        file.tokens()


def test_without_a_token_nothing_of_the_site_is_answered(site) -> None:
    site.decide()
    site.token()

    async def test() -> None:
        async with site.serving() as session:
            for path in ("/v1/site", "/v1/nodes", "/metrics", "/elsewhere", "/v1/nodes/nobody"):
                async with session.get(path) as answer:
                    assert (answer.status, answer.headers["www-authenticate"]) == (401, 'Bearer realm="rackwright"')
            assert await get(session, "/healthz") == {"status": "ok"}
            assert NODES[0] not in json.dumps(await get(session, "/openapi.json"))

    play(test())


def test_a_reader_releases_nothing(site) -> None:
    site.decide()
    token = site.token("read")

    async def test() -> None:
        async with (
            site.serving() as session,
            session.post(f"/v1/nodes/{NODES[0]}/release", headers=bearer(token)) as answer,
        ):
            assert answer.status == 403
            assert "may read only" in (await answer.json(content_type=None))["detail"]
        assert site.released == []

    play(test())


def test_a_revoked_token_is_refused_from_then_on(site) -> None:
    token = site.token()

    async def test() -> None:
        async with site.serving() as session:
            await get(session, "/v1/site", token)
            TokenFile(site.folder / "tokens.json").revoke("slurm")
            await get(session, "/v1/site", token, 401)

    play(test())


def test_failed_logins_are_bounded(site) -> None:
    token = site.token()

    async def test() -> None:
        async with site.serving() as session:
            for _ in range(site.bounds.failed_logins):
                await get(session, "/v1/site", "rackwright.slurm.guess", 401)
            answer = await get(session, "/v1/site", token, 429)
            assert "wait 60 s" in answer["detail"]
            site.clock += site.bounds.failed_seconds
            await get(session, "/v1/site", token)

    play(test())


def test_no_token_and_no_control_character_is_logged(site) -> None:
    token = site.token()

    async def test() -> None:
        async with site.serving() as session:
            await get(session, f"/v1/nodes/%1b%5b2J?token={token}", token, 404)
            await get(session, "/v1/site", "rackwright.slurm.guess", 401)

    play(test())
    log = "\n".join(site.log)
    assert "slurm GET /v1/nodes/" in log
    assert token.rpartition(".")[2] not in log
    assert "guess" not in log
    assert "\x1b" not in log


def test_requests_are_bounded(site) -> None:
    token = site.token("release")

    async def test() -> None:
        async with site.serving() as session:
            async with session.get("/v1/site", headers={**bearer(token), "x-long": "x" * 20000}) as answer:
                assert answer.status == 400
            big = b"x" * (site.bounds.request_bytes + 1)
            async with session.post("/v1/nodes/nobody/release", headers=bearer(token), data=big) as answer:
                assert answer.status in (404, 413)

    play(test())


def test_a_connection_that_says_nothing_is_ended(site) -> None:
    async def test() -> None:
        async with site.serving() as session:
            reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
            writer.write(b"GET /healthz HTTP/1.1\r\nhost: x\r\nx-slow: ")
            assert await reader.read() == b""
            writer.close()
            await get(session, "/healthz")

    hurried.run(test())


def test_connections_are_bounded(site) -> None:
    site.bound(connections=1)

    async def test() -> None:
        async with site.serving():
            first, second = [await asyncio.open_connection("127.0.0.1", site.port) for _ in range(2)]
            assert await second[0].read() == b""
            first[1].close()
            second[1].close()

    play(test())


def issue(authority: Authority, folder: Path) -> tuple[Path, Path]:
    """A certificate and its key."""
    chain, private = authority.server("127.0.0.1", ["127.0.0.1"])
    (folder / "server.pem").write_bytes(chain)
    (folder / "server.key").write_bytes(private)
    return folder / "server.pem", folder / "server.key"


def test_tls(site, tmp_path) -> None:
    authority = Authority("test CA")
    certificate, key = issue(authority, tmp_path)
    trusted = ssl.create_default_context(cadata=authority.certificate.decode())
    token = site.token()

    async def test() -> None:
        async with site.serving(certificate=certificate, key=key) as session:
            async with session.get("/v1/site", headers=bearer(token), ssl=trusted) as answer:
                assert answer.status == 200
            with pytest.raises(aiohttp.ClientConnectorCertificateError):
                await session.get("/healthz")

    play(test())


def test_a_renewed_certificate_is_read_again(tmp_path) -> None:
    authority = Authority("test CA")
    certificate = Certificate(*issue(authority, tmp_path))
    assert not certificate.renew()
    issue(authority, tmp_path)
    assert certificate.renew()


def test_a_certificate_without_its_key_is_named(tmp_path) -> None:
    file = tmp_path / "server.pem"
    with pytest.raises(UsageError, match="give a certificate and its key in PEM"):
        Certificate(file, file)
    file.write_text("nothing")
    with pytest.raises(UsageError, match="give a certificate and its key in PEM"):
        Certificate(file, file)
