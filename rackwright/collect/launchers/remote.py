"""Runs one command line on one host over SSH and waits for its end; launchers start their tests with it.

The standard input of the command stays open while we are connected.
"""

from __future__ import annotations

import asyncio
import time

import asyncssh

from rackwright.base import elevation, foreign
from rackwright.collect.launchers.launcher import START_SECONDS, Launch, leashed
from rackwright.collect.output import Output
from rackwright.collect.transports import ssh_connection
from rackwright.collect.transports.connection_limits import Patience
from rackwright.collect.transports.ssh_errors import PORT
from rackwright.model.access import Access

TIMED_OUT = (124, 137)
"""Exit statuses of timeout(1)."""


class RemoteHost:
    """A host on which tests are started."""

    def __init__(self, name: str, address: str, access: Access, port: int = PORT, *, as_root: bool = False) -> None:
        """Commands run with the rights of the account, or with `as_root` with those of root."""
        self.name = name
        self._user, self._by = access.ssh_user, access.as_root(()) if as_root else []
        self._address, self._port = address, port
        self._patience = Patience()
        self._trusted = ssh_connection.trust(access, self._patience)

    async def run(self, launch: Launch, argv: list[str], tool: str) -> Output:
        """The output of `argv`, which starts `launch` from this host, within its time limit; a failure is an error in
        the Output.
        """
        begun = time.monotonic()
        limit = launch.seconds + START_SECONDS
        error, rc, stdout, stderr = "", None, b"", b""
        try:
            rc, stdout, stderr = await self._execute(
                leashed(argv, limit, self._by), limit + self._patience.spare_seconds
            )
        except foreign.RefusedAnswerError as excess:
            stdout, error = excess.beginning, f"{self.name}: it printed {excess}, which no test does"
        except (ssh_connection.HostRefusedError, TimeoutError, asyncssh.Error, OSError, ValueError) as failure:
            reason = "did not answer in time" if isinstance(failure, TimeoutError) else str(failure)
            error = f"{self.name}: {reason or type(failure).__name__}"
        if rc and self._by:
            error = error or elevation.refusal(self._user, self.name, stderr.decode(errors="replace"))
        if rc in TIMED_OUT:
            error = f"{tool} did not end within {limit:g} s"
        seconds = time.monotonic() - begun
        return Output(self.name, "", "", stdout, stderr, rc, seconds, error, tool)

    async def _execute(self, line: str, limit: float) -> tuple[int, bytes, bytes]:
        connection = await ssh_connection.connect(self._trusted, self._address, self._port, self._patience)
        try:
            async with asyncio.timeout(limit):
                process = await connection.create_process(line, encoding=None)
                output, error = await asyncio.gather(*map(_all, (process.stdout, process.stderr)))
                done = await process.wait()
        finally:
            connection.close()
        if done.exit_status is None:
            raise ValueError("the connection ended before the command")
        return done.exit_status, output, error


async def _all(stream: asyncssh.SSHReader[bytes]) -> bytes:
    return await foreign.read_all(stream, foreign.limit("group_test").bytes)
