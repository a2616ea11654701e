"""One node in worker mode: one SSH connection that brings the bundle when it is missing, and the play, and takes the events back.

In: how the node is reached, the bundle, the stream to send. Out: events, as they happen, and why it failed when it did. Cut here
because this is the only place that speaks with a node in this mode.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import IO, Any

from rackwright.onboard.settings import CONNECT_SECONDS
from rackwright.onboard.worker_bundle import Bundle

FOLDER = "/opt/rackwright/worker"
"""Where nodes keep the bundle, one folder per digest."""
ALIVE_SECONDS = 15
"""A node that says nothing for four times as long is gone."""
SSH_FAILED = 255
"""Exit status of ssh(1) when the connection itself failed."""


@dataclass(frozen=True)
class Outcome:
    """How the connection ended."""

    why: str = ""
    """Empty when the worker came to its end."""
    unreachable: bool = False


class Link:
    """The connection to one node; `stop` ends it from another thread."""

    def __init__(self, variables: Mapping[str, Any]) -> None:
        """`variables`: ``ansible_host``, ``ansible_user`` and the SSH options of the inventory."""
        self._command = command(variables)
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False

    def stop(self) -> None:
        """End the connection; the node ends its play."""
        self._stopped = True
        if self._process is not None:
            self._process.terminate()

    def play(self, bundle: Bundle, stream: bytes, process: Callable[[IO[bytes]], str]) -> Outcome:
        """Send everything and hand what comes back to `process`, which returns why the worker failed."""
        with tempfile.TemporaryFile() as said:
            pipe = subprocess.PIPE
            with subprocess.Popen(self._command, stdin=pipe, stdout=pipe, stderr=said) as running:
                self._process = running
                if self._stopped:
                    running.terminate()
                try:
                    why = self._converse(running, bundle, stream, process)
                except BrokenPipeError:
                    why = "the connection ended early"
                finally:
                    _close(running)
                status = running.wait()
            said.seek(0)
            told = said.read().decode(errors="replace").strip().splitlines()
        if not why:
            return Outcome()
        last = told[-1] if told else ""
        return (
            Outcome(last or why, unreachable=True)
            if status == SSH_FAILED
            else Outcome(f"{why}: {last}" if last else why)
        )

    @staticmethod
    def _converse(
        running: subprocess.Popen[bytes], bundle: Bundle, stream: bytes, process: Callable[[IO[bytes]], str]
    ) -> str:
        there, back = running.stdin, running.stdout
        assert there is not None
        assert back is not None
        told = {"folder": FOLDER, "digest": bundle.digest, "size": len(bundle.data), "python": bundle.python}
        there.write(json.dumps(told).encode() + b"\n")
        there.flush()
        answer = _answer(back)
        if answer is None or "refused" in answer:
            return str((answer or {}).get("refused", "the node did not answer"))
        if not answer["have"]:
            there.write(bundle.data)
        there.write(stream)
        there.flush()
        return process(back)


def command(variables: Mapping[str, Any]) -> list[str]:
    """The call of ssh(1), with the same key and the same trust as Ansible's own."""
    python = ["python3", "-c", resources.files("rackwright.onboard.node").joinpath("bootstrap.py").read_text("utf-8")]
    user = variables["ansible_user"]
    remote = python if user == "root" else ["sudo", "-n", *python]
    options = [
        f"ConnectTimeout={CONNECT_SECONDS}",
        f"ServerAliveInterval={ALIVE_SECONDS}",
        "ServerAliveCountMax=4",
        "ControlPath=none",
        "LogLevel=ERROR",
    ]
    words = [word for option in options for word in ("-o", option)]
    key = ["-i", str(variables["ansible_ssh_private_key_file"])]
    trust = shlex.split(variables["ansible_ssh_common_args"])
    return ["ssh", "-T", *trust, *words, *key, f"{user}@{variables['ansible_host']}", shlex.join(remote)]


def _answer(back: IO[bytes]) -> dict[str, Any] | None:
    """The first words of the bootstrap; a login shell that greets comes before them."""
    for line in back:
        if line.startswith(b"{"):
            told = json.loads(line)
            if told.get("rackwright") == "worker":
                return dict(told)
    return None


def _close(running: subprocess.Popen[bytes]) -> None:
    """The end of its input tells the node that nobody listens any more."""
    assert running.stdin is not None
    try:
        running.stdin.close()
    except BrokenPipeError:
        return


def explained(artifacts: Path) -> str:
    """The last words of an Ansible that never counted its hosts, from the artifacts that the worker sent back."""
    try:
        lines = (artifacts / "stdout").read_text(encoding="utf-8", errors="replace").strip().splitlines()
    except OSError:
        return ""
    errors = [line for line in lines if "error" in line.lower()]
    return " ".join(" ".join((errors or lines)[-3:]).split())
