"""Probes of services, each against a real socket on loopback: what passes, and the sentence of what does not."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from cryptography.x509.oid import NameOID

from rackwright.preflight import hosts, names, services, time_servers
from rackwright.preflight.result import ProbeError, ProbeReading, take

SECONDS, MOST_OFFSET = 5.0, 60.0
NOW = 1_795_000_000.0


def packet(*, leap: int = 0, stratum: int = 2, reference: int = 0x0A000001, ahead: float = 0.0) -> bytes:
    """A reply of NTP version 4 in mode 4 (RFC 5905, figure 8), sent `ahead` of `NOW`."""
    sent = NOW + ahead + time_servers.EPOCH
    stamp = (int(sent), int(sent % 1 * 2**32))
    return struct.pack(
        "!BBbbII I 2I2I2I2I", leap << 6 | 0x24, stratum, 6, -20, 0, 0, reference, *stamp, *stamp, *stamp, *stamp
    )


def test_a_time_server_that_is_synchronised_passes():
    assert time_servers.read("ntp", packet(ahead=0.5), NOW, MOST_OFFSET) == ProbeReading("stratum 2, +0.500 s")


def test_a_time_server_on_its_own_clock_is_advice():
    reading = time_servers.read("ntp", packet(reference=0x7F7F0101, stratum=8), NOW, MOST_OFFSET)
    assert reading.advice
    assert "its own clock" in reading.text


@pytest.mark.parametrize(
    ("reply", "sentence"),
    [
        (packet(leap=3), "not synchronised"),
        (packet(stratum=0), "not synchronised"),
        (packet(stratum=16), "not synchronised"),
        (packet(ahead=-61), "differs from the clock of this machine by -61.0 s"),
        (b"HTTP", "answered 4 bytes"),
    ],
)
def test_a_time_server_that_nodes_must_not_follow_fails(reply, sentence):
    with pytest.raises(ProbeError, match=sentence):
        time_servers.read("ntp", reply, NOW, MOST_OFFSET)


def test_a_port_without_a_time_server_fails_at_once():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    with pytest.raises(ProbeError, match=r"127\.0\.0\.1 does not serve time"):
        asyncio.run(time_servers.ask("127.0.0.1", port, SECONDS, MOST_OFFSET))


def test_a_time_server_is_asked_as_clients_ask():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))

        def answer() -> None:
            request, client = server.recvfrom(100)
            assert (len(request), request[0] & 0b111) == (48, 3)  # RFC 5905, figure 8: a client is mode 3
            server.sendto(packet(stratum=16), client)

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(ProbeError, match="stratum 16"):
            asyncio.run(time_servers.ask("127.0.0.1", server.getsockname()[1], SECONDS, MOST_OFFSET))
        thread.join()


def test_a_name_without_an_address_fails():
    assert asyncio.run(names.resolve("localhost", SECONDS)).text
    with pytest.raises(ProbeError, match=r"mirror\.invalid has no address"):
        asyncio.run(names.resolve("mirror.invalid", SECONDS))


def test_a_port_is_open_or_not():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert asyncio.run(services.connect("127.0.0.1", port, SECONDS, "slurmctld")).text == "answers"
    with pytest.raises(ProbeError, match=f"slurmctld at 127.0.0.1:{port} cannot be reached"):
        asyncio.run(services.connect("127.0.0.1", port, SECONDS, "slurmctld"))


@pytest.mark.parametrize(
    ("printed", "sentence"),
    [
        ("", "printed '' for"),
        ("Welcome to node-001", "printed 'Welcome' for"),
        (f"{NOW + 100}", r"differs by \+100 s"),
        (f"{NOW}\n10.0.0.2:80\n10.0.0.3:6443\n", "cannot connect to 10.0.0.2:80, 10.0.0.3:6443"),
    ],
)
def test_a_host_that_cannot_be_onboarded_fails(printed, sentence):
    with pytest.raises(ProbeError, match=sentence):
        hosts.read("10.0.0.9", printed, NOW, MOST_OFFSET)
    assert hosts.read("10.0.0.9", f"{NOW}\n", NOW, MOST_OFFSET).text == "logged in, clock +0.0 s"


def test_a_result_has_the_outcome_of_its_reading():
    async def passes() -> ProbeReading:
        return ProbeReading("well", advice=True)

    async def fails() -> ProbeReading:
        raise ProbeError("broken: mend it")

    assert asyncio.run(take("up", "x", "y", passes())).outcome == "advice"
    result = asyncio.run(take("up", "x", "y", fails()))
    assert (result.outcome, result.text, result.key) == ("fail", "broken: mend it", "x y")


@pytest.fixture(scope="module")
def authority(tmp_path_factory) -> tuple[bytes, Path, str]:
    """A CA as PEM, a file with its certificate and key, and the digest of its public key as kubeadm prints it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "kubernetes")])
    start = datetime.now(UTC) - timedelta(days=1)
    builder = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
    )
    certificate = builder.not_valid_before(start).not_valid_after(start + timedelta(days=30)).sign(key, hashes.SHA256())
    pem = certificate.public_bytes(Encoding.PEM)
    file = tmp_path_factory.mktemp("ca") / "server.pem"
    file.write_bytes(pem + key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    public = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return pem, file, hashlib.sha256(public).hexdigest()


@pytest.fixture
def serve(authority) -> Iterator[Callable[[int, bytes], str]]:
    """Starts an HTTPS server that answers a cluster-info, and returns its address and port."""
    servers: list[ThreadingHTTPServer] = []

    def start(status: int, body: bytes) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                assert self.path == services.CLUSTER_INFO
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_arguments: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(authority[1])
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        servers.append(server)
        return f"127.0.0.1:{server.server_port}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def cluster_info(pem: bytes) -> bytes:
    """A ConfigMap as kubeadm writes it: a kubeconfig with a cluster and no user."""
    cluster = {"certificate-authority-data": base64.b64encode(pem).decode(), "server": "https://10.0.0.10:6443"}
    kubeconfig = {"apiVersion": "v1", "kind": "Config", "clusters": [{"cluster": cluster, "name": ""}], "users": []}
    return json.dumps({"kind": "ConfigMap", "data": {"kubeconfig": json.dumps(kubeconfig)}}).encode()


def test_the_api_server_must_have_the_ca_that_the_site_file_names(serve, authority):
    endpoint = serve(200, cluster_info(authority[0]))
    reading = asyncio.run(services.api_server(endpoint, f"sha256:{authority[2]}", SECONDS))
    assert "the CA of the site file" in reading.text
    with pytest.raises(ProbeError, match=f"has the CA {authority[2]}, and control.kubernetes.ca_sha256 names another"):
        asyncio.run(services.api_server(endpoint, "sha256:" + "0" * 64, SECONDS))


@pytest.mark.parametrize(
    ("status", "body"), [(404, b"{}"), (200, b"<html>"), (200, b'{"data": {"kubeconfig": "clusters: []"}}')]
)
def test_an_api_server_that_no_node_can_join_fails(serve, status, body):
    with pytest.raises(ProbeError, match="gives out no cluster-info"):
        asyncio.run(services.api_server(serve(status, body), "sha256:" + "0" * 64, SECONDS))
