"""Runs one command of a request in a separate session with a time limit, and kills the whole session at the limit.

A library call is a command too: a child of this probe loads the library, so that a driver that hangs costs one child
and not the run.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import time

from . import answer
from .built import PYNVML

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LIBRARIES = ("nvml",)
BURN = "rackwright-burn"
DEFAULT_SECONDS = 30.0
MOST_STDOUT = 16 << 20
"""Bytes of standard output that are kept; a tool that prints more is broken."""
BLOCK = 1 << 16
SUDO = ("sudo", "-n")
REFUSED = "sudo refused"
GRACE_SECONDS = 1.0
"""Time in which a killed process must end, and the descendants of an ended one must close its pipes."""


RUNNING: set[subprocess.Popen[bytes]] = set()
"""Children that run now."""


def kill_all() -> None:
    """Kill all running children, without waiting for them."""
    for child in list(RUNNING):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)


def run(identity: str, request: dict[str, Any]) -> dict[str, Any]:
    """The answer to `request`; its error is ``timeout``, ``not found`` or a sentence."""
    begun = time.monotonic()
    seconds = float(request.get("seconds") or DEFAULT_SECONDS)
    library = request.get("library")
    if library is not None and library not in LIBRARIES:
        return answer.failed(identity, f"this probe knows no library {library!r}", 0.0)
    argv = _library_call(library) if library else _resolve_argv([str(word) for word in request["argv"]])
    path = ":".join([os.environ.get("PATH", ""), *map(str, request.get("folders") or ())])
    tool = f"pynvml {PYNVML}" if library else _path_of_command(argv[0], path)
    by_sudo = bool(request.get("as_root")) and os.geteuid() != 0
    if by_sudo and "/" not in tool:
        return answer.failed(identity, "not found", 0.0)
    if by_sudo and "/" not in _path_of_command(SUDO[0], path):
        if request.get("without_root"):
            return run(identity, {**request, "as_root": False})
        return answer.failed(identity, REFUSED, 0.0)
    try:
        child = subprocess.Popen(
            [*SUDO, *argv] if by_sudo else argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            pass_fds=_archive_fds(),
            env={**os.environ, "PATH": path},
        )
    except FileNotFoundError:
        return answer.failed(identity, "not found", time.monotonic() - begun)
    except OSError as error:
        return answer.failed(identity, error.strerror or str(error), time.monotonic() - begun)
    RUNNING.add(child)
    output, stopped = _follow(child, begun + seconds)
    RUNNING.discard(child)
    if by_sudo and stopped is None and _sudo_refused(child.returncode, output):
        if request.get("without_root"):
            return run(identity, {**request, "as_root": False})
        stopped = REFUSED
    return answer.line(identity, child.returncode, output[0], output[1], time.monotonic() - begun, stopped, tool)


def _path_of_command(name: str, path: str) -> str:
    """The path of the program, as a shell would find it."""
    if "/" in name:
        return name
    paths = [os.path.join(folder, name) for folder in path.split(":") if folder]  # noqa: PTH118 - pathlib takes 10 ms to load
    return next((path for path in paths if os.access(path, os.X_OK)), name)


def _sudo_refused(status: int, output: tuple[bytes, bytes]) -> bool:
    """Whether sudo itself refused, before the command printed anything (sudo(8), exit value)."""
    words = [line for line in output[1].splitlines() if not line.startswith(b"sudo: unable to resolve host")]
    by_sudo = bool(words) and (words[-1].startswith((b"sudo: ", b"Sorry, user ")) or b"sudoers file" in words[-1])
    return status == 1 and not output[0] and by_sudo


def _library_call(library: str) -> list[str]:
    # Without the packages of the node: one of them could replace the binding that the probe carries.
    return [sys.executable, "-I", "-S", sys.argv[0], library]


def _resolve_argv(argv: list[str]) -> list[str]:
    """The command; ``rackwright-burn`` runs the load tests of the probe unless the node has a program of that name."""
    if argv[0] != BURN:
        return argv
    import shutil  # the probe starts faster without it

    if shutil.which(BURN):
        return argv
    return [sys.executable, "-I", "-S", sys.argv[0], "burn", *argv[1:]]


def _archive_fds() -> tuple[int, ...]:
    # The probe may be in an anonymous file that only its descriptor names (/proc/self/fd/N): children need it too.
    folder, _, name = sys.argv[0].rpartition("/")
    return (int(name),) if folder == "/proc/self/fd" and name.isdigit() else ()


def _follow(child: subprocess.Popen[bytes], ends: float) -> tuple[tuple[bytes, bytes], str | None]:
    """Standard output and standard error of the child, and the reason if it was stopped."""
    captured = {"stdout": bytearray(), "stderr": bytearray()}
    with selectors.DefaultSelector() as selector:
        selector.register(child.stdout, selectors.EVENT_READ, "stdout")  # type: ignore[arg-type]
        selector.register(child.stderr, selectors.EVENT_READ, "stderr")  # type: ignore[arg-type]
        while selector.get_map():
            if child.poll() is not None:  # its descendants may hold the pipes forever
                ends = min(ends, time.monotonic() + GRACE_SECONDS)
            remaining = ends - time.monotonic()
            room = _take(selector, captured, max(0.0, min(remaining, GRACE_SECONDS)))
            if remaining <= 0 or not room:  # output received so far is kept, also if this probe itself was slow
                break
        open_ends = bool(selector.get_map())
    return (bytes(captured["stdout"]), bytes(captured["stderr"])), _end(child, open_ends, len(captured["stdout"]), ends)


def _take(selector: selectors.BaseSelector, captured: dict[str, bytearray], patience: float) -> bool:
    """Read available output for at most `patience` seconds; False if standard output exceeds its limit."""
    for key, _ in selector.select(patience):
        block = os.read(key.fd, BLOCK)
        if not block:
            selector.unregister(key.fileobj)
        captured[key.data] += block if key.data == "stdout" else block[: answer.MOST_STDERR - len(captured["stderr"])]
    return len(captured["stdout"]) <= MOST_STDOUT


def _end(child: subprocess.Popen[bytes], open_ends: bool, written: int, ends: float) -> str | None:
    """Wait for the child; returns the reason if it or one of its descendants had to be killed."""
    if written > MOST_STDOUT:
        _kill(child)
        return f"more than {MOST_STDOUT} bytes of output"
    try:
        child.wait(max(0.0, ends - time.monotonic()))
    except subprocess.TimeoutExpired:
        _kill(child)
        return "timeout"
    if open_ends:
        _kill(child)
    return None


def _kill(child: subprocess.Popen[bytes]) -> None:
    """Kill the session of the child; give up on processes that are stuck in the kernel, where no signal arrives."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(GRACE_SECONDS)
