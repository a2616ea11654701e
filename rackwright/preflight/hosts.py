"""Hosts over SSH: log-in, root's rights, clock, and what each must reach itself: the mirror, the controllers and the API server."""

from __future__ import annotations

import asyncio
import shlex
import time
from collections.abc import Iterable

import asyncssh

from rackwright.base import elevation, foreign
from rackwright.collect.transports import ssh_connection
from rackwright.collect.transports.connection_limits import Patience
from rackwright.collect.transports.ssh_errors import PORT
from rackwright.model.access import Access
from rackwright.preflight.result import ProbeError, ProbeReading

CLOCK = "date +%s.%N"
CONNECT = "timeout {seconds:g} bash -c {test} 2>/dev/null || echo {place}"
"""Prints the place that a host cannot open a connection to; needs bash and coreutils alone, as a host has them before it is onboarded."""


async def log_in(
    address: str,
    trust: ssh_connection.Trust,
    limits: Patience,
    places: Iterable[tuple[str, int]],
    most_offset_seconds: float,
) -> ProbeReading:
    """What a host says of its clock.

    ProbeError without a log-in, without root's rights, with a clock that is wrong, or if the host cannot reach one of `places`.
    """
    try:
        connection = await ssh_connection.connect(trust, address, PORT, limits)
    except ssh_connection.HostRefusedError as refused:
        raise ProbeError(str(refused)) from None
    tests = [_connect(host, port, limits.connect_seconds) for host, port in places]
    try:
        async with connection, asyncio.timeout(limits.spare_seconds + limits.connect_seconds * len(tests)):
            await _as_root(connection, trust.access, address)
            process = await connection.create_process("; ".join([CLOCK, *tests]), stdin=asyncssh.DEVNULL)
            text = await process.stdout.read(foreign.limit("beginning").bytes)
    except (asyncssh.Error, OSError, TimeoutError) as error:
        raise ProbeError(
            f"{address} logged in and then failed ({error or type(error).__name__}): look at the log of its sshd"
        ) from None
    return read(address, text, time.time(), most_offset_seconds)


async def _as_root(connection: asyncssh.SSHClientConnection, access: Access, address: str) -> None:
    """ProbeError if the account is not root, and sudo does not let it be."""
    done = await connection.run(shlex.join(access.as_root(("true",))), stdin=asyncssh.DEVNULL, errors="replace")
    if done.exit_status:
        words = str(done.stderr)[: foreign.limit("beginning").bytes]
        why = elevation.refusal(access.ssh_user, address, words)
        raise ProbeError(why or f"{address}: `sudo -n true` ended with {done.exit_status} ({words.strip()[-200:]!a})")


def _connect(host: str, port: int, seconds: float) -> str:
    place = f"{host}:{port}"
    return CONNECT.format(
        seconds=seconds, test=shlex.quote(f"exec 3<>/dev/tcp/{host}/{port}"), place=shlex.quote(place)
    )


def read(address: str, text: str, now: float, most_offset_seconds: float) -> ProbeReading:
    """What the commands printed; `now` is the time of this machine in seconds since 1970."""
    first, *unreached = text.split()[:64] or [""]
    try:
        offset = float(first) - now
    except ValueError:
        raise ProbeError(
            f"{address} printed {first[:40]!a} for `{CLOCK}`: find out what its shell prints at log-in"
        ) from None
    if unreached:
        raise ProbeError(f"{address} cannot connect to {', '.join(unreached)}: check routes and firewalls in between")
    if abs(offset) > most_offset_seconds:
        raise ProbeError(
            f"the clock of {address} differs by {offset:+.0f} s from this machine's, more than {most_offset_seconds:g} s: set it, and let it follow a time server"
        )
    return ProbeReading(f"logged in, clock {offset:+.1f} s")
