"""The verbs `serve` and `token` as users call them."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from rackwright.base.workspace import Workspace
from rackwright.cli.accept import serve
from rackwright.cli.main import main
from tests import build
from tests.patience import PATIENCE

WEBHOOK = "  webhooks:\n    - {name: nico, url: 'https://nico.example/hook', secret_env: NICO_KEY}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "site.yaml").write_text(build.EXAMPLE.read_text())
    return tmp_path


def call(capsys, folder: Path, verb: str, *argv: str) -> tuple[int, str]:
    code = main([verb, str(folder), "--work", str(folder / "work"), *argv])
    printed = capsys.readouterr()
    return code, printed.out + printed.err


def test_tokens_are_created_listed_and_revoked(folder: Path, capsys) -> None:
    code, text = call(capsys, folder, "token", "--add", "nico", "--scope", "release", "--days", "30")
    assert (code, text.startswith("rackwright.nico.")) == (0, True)
    [listed] = json.loads(call(capsys, folder, "token", "--format", "json")[1])
    assert (listed["name"], listed["scope"], set(listed)) == (
        "nico",
        "release",
        {"name", "scope", "created", "expires"},
    )
    assert "release  until" in call(capsys, folder, "token")[1]
    assert call(capsys, folder, "token", "--revoke", "nico") == (0, "nico is revoked\n")
    assert "creates the first" in call(capsys, folder, "token")[1]


@pytest.mark.parametrize("words", [["--add", "A"], ["--add", "a", "--days", "0"], ["--revoke", "nobody"]])
def test_wrong_tokens_are_usage_errors(folder: Path, capsys, words) -> None:
    code, text = call(capsys, folder, "token", *words)
    assert (code, len(text.splitlines())) == (2, 1), text


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ([], "give --tls-cert and --tls-key"),
        (["--tls-cert", "x"], "give --tls-cert and --tls-key"),
        (["--listen", "0.0.0.0:0", "--without-tls"], "it is for loopback addresses alone"),
        (["--listen", "localhost"], "give the address to listen on"),
        (["--listen", "127.0.0.1:", "--without-tls"], "give a port from 0 to 65535"),
        (["--listen", "127.0.0.1:65536", "--without-tls"], "give a port from 0 to 65535"),
        (["--tls-cert", "no.pem", "--tls-key", "no.pem"], "give a certificate and its key in PEM"),
    ],
)
def test_a_server_that_cannot_be_started_says_why(folder: Path, capsys, words, error) -> None:
    code, text = call(capsys, folder, "serve", *words)
    assert (code, error in text) == (2, True), text


@pytest.mark.parametrize(("key", "error"), [("", "NICO_KEY is not set"), ("whsec_!", "is not base64")])
def test_a_webhook_without_a_key_is_named(folder: Path, capsys, monkeypatch, key, error) -> None:
    site = folder / "site.yaml"
    site.write_text(site.read_text().replace("  gates: handover\n", f"  gates: handover\n{WEBHOOK}"))
    monkeypatch.setenv("NICO_KEY", key)
    code, text = call(capsys, folder, "serve", "--without-tls")
    assert (code, error in text) == (2, True), text


def test_it_serves_until_it_is_ended(folder: Path, capsys) -> None:
    token = call(capsys, folder, "token", "--add", "nico")[1].strip()
    words = [sys.executable, "-m", "rackwright", "serve", str(folder), "--work", str(folder / "work")]
    process = subprocess.Popen(
        [*words, "--listen", "127.0.0.1:0", "--without-tls"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout
        url = process.stdout.readline().split(" on ")[1].strip()
        request = urllib.request.Request(f"{url}/v1/nodes/train-001", headers={"authorization": f"Bearer {token}"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            assert json.loads(answer.read())["state"] == "held"
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, log
        assert "nico GET /v1/nodes/train-001 200" in log
        assert token not in log
    finally:
        process.kill()
        process.wait()


def test_the_gate_that_decides_on_a_release_runs_in_a_process_of_its_own(folder: Path, monkeypatch) -> None:
    monkeypatch.setenv("RACKWRIGHT_BMC_USER", "nobody")
    monkeypatch.setenv("RACKWRIGHT_BMC_PASSWORD", "nothing")
    error = asyncio.run(serve._release(folder / "site.yaml", Workspace(folder / "work"), PATIENCE, "nobody"))
    assert "the gate could not decide: --nodes nobody: the site has no node nobody" in error


def test_a_gate_that_decided_is_no_error() -> None:
    assert serve._gate_error(b'{"decisions": []}') == ""
    assert serve._gate_error(b"") == "the gate could not decide; the log of the server says why"
    assert serve._gate_error(b'{"problems": [{"message": "a"}, {"message": "b"}]}').endswith(": a; b")
