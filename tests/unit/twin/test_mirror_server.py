import functools
import http.client
import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from rackwright.twin.guest import mirror
from tests.patience import PATIENCE

CONTENT = bytes(range(200))


class Client:
    """Asks a mirror that has one fault for 127.0.0.1."""

    def __init__(self, root: Path, fault: str) -> None:
        handler = functools.partial(
            mirror.MirrorHandler, directory=str(root), faults={"127.0.0.1": fault} if fault else {}
        )
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def get(self, path: str) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=PATIENCE)
        connection.request("GET", path)
        answer = connection.getresponse()
        try:
            return answer.status, answer.read()
        except http.client.IncompleteRead as error:
            return answer.status, error.partial
        finally:
            connection.close()


@pytest.fixture
def client(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Client]:
    for path, content in {
        "pool/a.deb": CONTENT, "dists/stable/InRelease": b"good", "expired/stable/InRelease": b"old",
        "key.asc": b"key", "expired/key.asc": b"old key", "dists/stable/Release": b"release",
    }.items():  # fmt: skip
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    client = Client(tmp_path, request.param)
    yield client
    client.server.shutdown()
    client.server.server_close()


@pytest.mark.parametrize("client", [""], indirect=True)
def test_a_healthy_client_gets_what_is_there(client: Client) -> None:
    assert client.get("/pool/a.deb") == (200, CONTENT)
    assert client.get("/dists/stable/InRelease") == (200, b"good")
    assert client.get("/pool/b.deb")[0] == 404


@pytest.mark.parametrize("client", ["unavailable"], indirect=True)
def test_unavailable(client: Client) -> None:
    assert client.get("/dists/stable/InRelease")[0] == 500


@pytest.mark.parametrize("client", ["truncated"], indirect=True)
def test_truncated(client: Client) -> None:
    assert client.get("/pool/a.deb") == (200, CONTENT[:100])
    assert client.get("/dists/stable/InRelease") == (200, b"good")
    assert client.get("/pool/b.deb")[0] == 404


@pytest.mark.parametrize("client", ["altered"], indirect=True)
def test_altered(client: Client) -> None:
    _, content = client.get("/pool/a.deb")
    assert len(content) == len(CONTENT)
    assert sum(received != expected for received, expected in zip(content, CONTENT, strict=True)) == 1


@pytest.mark.parametrize("client", ["expired-key"], indirect=True)
def test_expired_key(client: Client) -> None:
    assert client.get("/dists/stable/InRelease") == (200, b"old")
    assert client.get("/key.asc") == (200, b"old key")
    assert client.get("/dists/stable/Release") == (200, b"release")


def test_faults_are_given_as_json() -> None:
    with pytest.raises(json.JSONDecodeError):
        mirror.main(["127.0.0.1", "0", "/", "{"])
