"""When a started service counts as up where neither its end nor a message of it says so: Type=forking and Type=dbus of systemd.service(5)."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Awaitable, Callable

from . import process
from .loop import Signal, Until
from .unitfile import UnitFile

PID_FILE_POLL = 0.02
BUS_POLL = 0.1
BUS = "dbus.service"
"""What a unit of Type=dbus requires; systemd's own dependency is on the socket of the bus, which this service opens itself."""
ASK = "/usr/bin/dbus-send --system --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.GetNameOwner string:{}"


async def forked_pid(unit: UnitFile, invocation: str, seconds: float) -> int:
    """The main process of a forking service: from PIDFile=, else the only process left; 0 or less when there is none in time."""
    deadline = time.monotonic() + seconds
    while (pid := _forked_pid(unit, invocation)) == 0 and time.monotonic() < deadline:
        await Until(seconds=PID_FILE_POLL)
    return pid


def _forked_pid(unit: UnitFile, invocation: str) -> int:
    file = unit.last("Service", "PIDFile")
    if not file:
        members = process.members(invocation)
        return members[0] if members else -1
    with contextlib.suppress(OSError, ValueError), open(os.path.join("/run", file), encoding="ascii") as text:
        pid = int(text.read().strip())
        return pid if os.path.exists(f"/proc/{pid}") else 0
    return 0


async def name_owned(ask: Callable[[str], Awaitable[bool]], unit: UnitFile, ended: Signal, seconds: float) -> bool:
    """Whether the service has BusName= on the system bus in time and before it `ended`; `ask` runs a command line."""
    deadline = time.monotonic() + seconds
    while not ended.is_set and time.monotonic() < deadline:
        if await ask(ASK.format(unit.last("Service", "BusName"))):
            return True
        await Until(ended, seconds=BUS_POLL)
    return False
