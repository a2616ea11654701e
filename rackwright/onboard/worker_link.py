"""One node in worker mode: one SSH connection that brings the bundle when it is missing, and the play, and takes the events back."""

from __future__ import annotations

import io
import json
import os
import shlex
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import IO, Any

from rackwright.base import elevation, foreign
from rackwright.onboard import settings, worker_stream
from rackwright.onboard.worker_bundle import WorkerBundle

FOLDER = "/opt/rackwright/worker"
"""Where nodes keep the bundle, one folder per digest."""
ALIVE_SECONDS = 15
"""Seconds between keep-alive messages to sshd on the node; after four without an answer the node counts as lost."""
SILENT_SECONDS = 120.0
"""A node that says nothing for so long hangs: its worker says every 20 s that it is at work (``launch``)."""
END_SECONDS = 20.0
"""How long a connection that is closed may take to end: twice what the node gives a play that it ends (``launch``)."""
SSH_FAILED = 255
"""Exit status of ssh(1) when the connection itself failed."""


@dataclass(frozen=True)
class WorkerOutcome:
    """How the connection ended."""

    why: str = ""
    """Empty when the worker came to its end."""
    unreachable: bool = False


class _Ear(io.RawIOBase):
    """What comes back, with a note of when something came."""

    def __init__(self, source: IO[bytes], on_data: Callable[[], None]) -> None:
        self._source, self._heard = source, on_data

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """As soon as something is there; the form of a raw stream."""
        data = os.read(self._source.fileno(), len(buffer))
        self._heard()
        buffer[: len(data)] = data
        return len(data)


class _Tail(threading.Thread):
    """The end of the error output: all of it is read, so that nothing waits for us, and a little is kept."""

    def __init__(self, source: IO[bytes]) -> None:
        super().__init__(daemon=True)
        self._source, self._end = source, b""
        self.start()

    def run(self) -> None:
        """Read until the end."""
        while block := os.read(self._source.fileno(), foreign.BLOCK):
            self._end = (self._end + block)[-foreign.BLOCK :]

    def last_line(self) -> str:
        """Its last line when it has ended; empty without one."""
        self.join(END_SECONDS)
        lines = self._end.decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else ""


class WorkerLink:
    """The connection to one node; `stop` ends it from another thread."""

    def __init__(self, variables: Mapping[str, Any]) -> None:
        """`variables`: ``ansible_host``, ``ansible_user`` and the SSH options of the inventory."""
        self._command = command(variables)
        self._user, self._host = str(variables["ansible_user"]), str(variables["ansible_host"])
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = ""
        self._last = float("inf")

    def stop(self, why: str) -> None:
        """End the connection; the node ends its play."""
        self._stopped = self._stopped or why
        if self._process is not None:
            self._process.terminate()

    def stop_if_silent(self) -> None:
        """End a connection on which nothing came for `SILENT_SECONDS`."""
        if time.monotonic() - self._last > SILENT_SECONDS:
            self.stop(f"the node sent nothing for {SILENT_SECONDS:.0f} s")

    def play(self, bundle: WorkerBundle, stream: bytes, process: Callable[[IO[bytes]], str]) -> WorkerOutcome:
        """Send everything and hand what comes back to `process`, which returns why the worker failed."""
        pipe = subprocess.PIPE
        with subprocess.Popen(
            self._command, stdin=pipe, stdout=pipe, stderr=pipe, env=settings.child(os.environ)
        ) as running:
            self._process = running
            assert running.stderr is not None
            errors = _Tail(running.stderr)
            self._read_messages()
            if self._stopped:
                running.terminate()
            try:
                why = self._converse(running, bundle, stream, process)
            except BrokenPipeError:
                why = "the connection ended early"
            finally:
                self._last = float("inf")
                _close(running)
            status = _ended(running)
            last = errors.last_line()
        return self._outcome(why, status, last)

    def _read_messages(self) -> None:
        self._last = time.monotonic()

    def _outcome(self, why: str, status: int, last: str) -> WorkerOutcome:
        if self._stopped:
            return WorkerOutcome(self._stopped, unreachable=True)
        if not why:
            return WorkerOutcome()
        if status == SSH_FAILED:
            return WorkerOutcome(last or why, unreachable=True)
        refused = elevation.refusal(self._user, self._host, last)
        return WorkerOutcome(refused or (f"{why}: {last}" if last else why))

    def _converse(
        self, running: subprocess.Popen[bytes], bundle: WorkerBundle, stream: bytes, process: Callable[[IO[bytes]], str]
    ) -> str:
        stdin, source = running.stdin, running.stdout
        assert stdin is not None
        assert source is not None
        back = io.BufferedReader(_Ear(source, self._read_messages))
        header = {"folder": FOLDER, "digest": bundle.digest, "size": len(bundle.data), "python": bundle.python}
        with suppress(BrokenPipeError):  # that there is no answer says more
            stdin.write(json.dumps(header).encode() + b"\n")
            stdin.flush()
        answer = worker_stream.answer(back)
        if answer is None or "refused" in answer:
            return str((answer or {}).get("refused", "the node did not answer"))
        for data in (b"" if answer["have"] else bundle.data, stream):
            stdin.write(data)
            stdin.flush()
            self._read_messages()
        return process(back)


def command(variables: Mapping[str, Any]) -> list[str]:
    """The call of ssh(1) that begins a worker."""
    python = ["python3", "-c", resources.files("rackwright.onboard.node").joinpath("bootstrap.py").read_text("utf-8")]
    return connection(variables, elevation.as_root(variables["ansible_user"], python))


def connection(variables: Mapping[str, Any], remote: Sequence[str]) -> list[str]:
    """The call of ssh(1) for the command `remote`, with the same key and the same trust as Ansible's own."""
    options = [
        f"ConnectTimeout={settings.CONNECT_SECONDS}",
        f"ServerAliveInterval={ALIVE_SECONDS}",
        "ServerAliveCountMax=4",
        "ControlPath=none",
        "LogLevel=ERROR",
    ]
    words = [word for option in options for word in ("-o", option)]
    key = ["-i", str(variables["ansible_ssh_private_key_file"])]
    trust = shlex.split(variables["ansible_ssh_common_args"])
    return [
        "ssh",
        "-T",
        *trust,
        *words,
        *key,
        f"{variables['ansible_user']}@{variables['ansible_host']}",
        shlex.join(remote),
    ]


def _ended(running: subprocess.Popen[bytes]) -> int:
    """Exit status of a connection that is closed; a node that goes on and on is not listened to."""
    try:
        return running.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        running.kill()
        return running.wait()


def _close(running: subprocess.Popen[bytes]) -> None:
    """The end of its input tells the node that nobody listens any more."""
    assert running.stdin is not None
    try:
        running.stdin.close()
    except BrokenPipeError:
        return


def explained(artifacts: Path) -> str:
    """The last words of an Ansible that never counted its hosts, from what the worker sent back."""
    try:
        lines = (artifacts / worker_stream.STDOUT).read_text(encoding="utf-8", errors="replace").strip().splitlines()
    except OSError:
        return ""
    errors = [line for line in lines if "error" in line.lower()]
    return " ".join(" ".join((errors or lines)[-3:]).split())
