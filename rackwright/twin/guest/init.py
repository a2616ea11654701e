"""The first process of a host: starts the enabled services, collects processes, answers `systemctl`."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import struct
import subprocess
import sys

from . import kernel, machine, shutdown, verbs
from .loop import Loop, Signal, Until
from .manager import UnitManager
from .options import refuse_changes

SOCKET = "/run/rackwright-twin/init.sock"
EXIT_OFF = shutdown.OFF
EXIT_REBOOT = shutdown.REBOOT


class Init:
    """The init of one host."""

    def __init__(self) -> None:
        self.loop = Loop()
        self.manager = UnitManager(self.loop, self.watch)
        self.code = EXIT_OFF
        self._ends: dict[int, Signal] = {}
        self._planned: shutdown.Ending | None = None

    def watch(self, pid: int) -> Signal:
        """A signal that is set with the exit code of `pid` (minus the number of a deadly signal)."""
        return self._ends.setdefault(pid, Signal())

    def run(self) -> int:
        """Boot, and serve until the host ends."""
        kernel.set_name("systemd")
        self._watch_children()
        self._serve()
        machine.load_modules()
        _sysctl()
        _tmpfiles()
        self.manager.boot()
        self.loop.run()
        return self.code

    def _watch_children(self) -> None:
        readable, writable = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(writable, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)

        def woken() -> None:
            with contextlib.suppress(BlockingIOError):
                os.read(readable, 4096)
            self._reap()

        self.loop.on_readable(readable, woken)

    def _reap(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            code = os.waitstatus_to_exitcode(status)
            if pid in self._ends:
                self._ends.pop(pid).set(code)

    def _serve(self) -> None:
        os.makedirs(os.path.dirname(SOCKET), exist_ok=True)
        server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        server.bind(SOCKET)
        os.chmod(SOCKET, 0o666)  # noqa: S103 - every account may ask, as over the bus of systemd
        server.listen(32)
        self.loop.on_readable(server, lambda: self._accept(server))

    def _accept(self, server: socket.socket) -> None:
        connection, _ = server.accept()
        _, user, _ = struct.unpack(
            "3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        )
        received = bytearray()

        def read() -> None:
            piece = connection.recv(65536)
            received.extend(piece)
            if not piece or received.endswith(b"\0\0"):
                self.loop.forget(connection)
                words = received.decode(errors="replace").rstrip("\0").split("\0")
                self.loop.spawn(self._answer(connection, words, user))

        self.loop.on_readable(connection, read)

    async def _answer(self, connection: socket.socket, words: list[str], user: int) -> None:
        ending = None
        try:
            refuse_changes(words, user)
            ending = shutdown.requested_ending(words)
            code, out, err = (0, "", "") if ending else await verbs.run(self.manager, words)
        except ValueError as error:
            code, out, err = 1, "", f"{error}\n"
        except Exception as error:  # noqa: BLE001 - the first process of a host must outlive any request
            code, out, err = 1, "", f"systemctl of the twin: {type(error).__name__}: {error}\n"
        with contextlib.suppress(OSError):
            connection.sendall(b"\0".join([str(code).encode(), out.encode(), err.encode()]))
        connection.close()
        if ending:
            await self._end(ending)

    async def _end(self, ending: shutdown.Ending) -> None:
        """Wait for the requested time, unless a later request takes its place, and end the host."""
        self._planned = ending
        if ending.seconds:
            await Until(Signal(), seconds=ending.seconds)
        if self._planned is ending and ending.code != shutdown.CANCELLED:
            self.code = ending.code
            self.loop.stop()


def _sysctl() -> None:
    """Apply sysctl.d as systemd-sysctl does at boot; the host has kernel parameters of its own to write to."""
    with contextlib.suppress(OSError):
        subprocess.run(["/lib/systemd/systemd-sysctl"], stderr=subprocess.DEVNULL, check=False)


def _tmpfiles() -> None:
    """Remove what Debian's package passwd removes at boot: locks of account files (its tmpfiles.d/passwd.conf); EL 9 has no such file."""
    if os.path.isdir("/var/lib/dpkg/info"):
        with contextlib.suppress(OSError):
            subprocess.run(
                ["systemd-tmpfiles", "--boot", "--remove", "passwd.conf"], stderr=subprocess.DEVNULL, check=False
            )


def main() -> int:
    """Entry point; the process is number 1 of its namespace."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return Init().run()


if __name__ == "__main__":
    sys.exit(main())
