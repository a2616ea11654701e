"""Receives the notifications of a service (sd_notify(3)): one socket per start of a unit."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Callable

from .loop import Loop

FOLDER = "/run/rackwright-twin/notify"


def path(unit: str) -> str:
    """The socket of `unit`, for NOTIFY_SOCKET."""
    return os.path.join(FOLDER, unit)


class NotifySocket:
    """Listens for one unit."""

    def __init__(self, unit: str, loop: Loop, report: Callable[[str, str], None]) -> None:
        os.makedirs(FOLDER, exist_ok=True)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path(unit))
        self._loop = loop
        self._said = report
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(path(unit))
        os.chmod(path(unit), 0o777)  # noqa: S103 - every account may say that it is ready
        loop.on_readable(self._socket, self._receive)

    def close(self) -> None:
        """Stop listening."""
        self._loop.forget(self._socket)
        self._socket.close()

    def _receive(self) -> None:
        for line in self._socket.recv(4096).decode(errors="replace").splitlines():
            key, _, value = line.partition("=")
            self._said(key, value)
