"""Queries many hosts over SSH at once: one connection per host; every failure becomes an `Output` with one sentence.

Host keys are strict. Nothing waits forever: each phase of a connection has a limit, and so has the whole of it, so that
a hanging host costs a little memory and delays no other. One thread serves them all, because it only waits for the
network.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

import asyncssh

from rackwright.base import elevation, foreign
from rackwright.collect import wire
from rackwright.collect.output import Ask, Output, unanswered_outputs
from rackwright.collect.transports import ssh_connection
from rackwright.collect.transports.connection_limits import Patience
from rackwright.collect.transports.ssh_errors import PORT
from rackwright.model.access import Access

BLOCK = 1 << 16
"""Bytes read at once."""
CLOSING_SECONDS = 1.0
"""Time limit for the orderly end of a connection."""


@dataclass(frozen=True)
class FleetHost:
    """One machine to query."""

    node: str
    address: str
    asks: tuple[Ask, ...]
    port: int = PORT
    cooldown: float | None = None
    """Seconds of rest between two commands, which then run one after the other; None: all run at the same time."""

    @property
    def seconds(self) -> float:
        """Time limit of all commands together, in seconds."""
        limits = [ask.seconds for ask in self.asks]
        if self.cooldown is None:
            return max(limits, default=0.0)
        return sum(limits) + self.cooldown * max(0, len(limits) - 1)


@dataclass(frozen=True)
class Arrival:
    """Answers of one host."""

    host: FleetHost
    outputs: list[Output]
    through: bool = True
    """False if more of them follow."""


async def ask_hosts(
    hosts: Sequence[FleetHost], access: Access, zipapp: bytes, patience: Patience | None = None
) -> AsyncIterator[Arrival]:
    """Yield answers as they arrive; when a host is through, each of its questions has an Output.

    A host with sequential questions sends each answer at once, because the next one may take hours.

    Raises OutsideError if our own key or known_hosts file cannot be read: that is not a failure of the hosts.
    """
    limits = patience or Patience()
    session = _Session(ssh_connection.trust(access, limits), zipapp, limits)
    places = asyncio.Semaphore(limits.at_once)
    arrivals: asyncio.Queue[Arrival] = asyncio.Queue()
    running = [asyncio.create_task(session.ask(host, places, arrivals)) for host in hosts]
    remaining = len(running)
    try:
        while remaining:
            arrival = await arrivals.get()
            remaining -= arrival.through
            yield arrival
    finally:  # an interrupted run starts no further connections
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


@dataclass(frozen=True)
class _Session:
    """State that all connections of one call share."""

    trusted: ssh_connection.Trust
    zipapp: bytes
    patience: Patience

    async def ask(self, host: FleetHost, places: asyncio.Semaphore, arrivals: asyncio.Queue[Arrival]) -> None:
        """Put an Output for every question to `host`, whatever happens."""
        async with places:
            outputs: list[Output] = []
            answered: set[str] = set()

            def hear(output: Output) -> None:
                answered.add(wire.question_id(output))
                if host.cooldown is None:
                    outputs.append(output)
                else:
                    arrivals.put_nowait(Arrival(host, [output], through=False))

            reason, beginning = await self._reason(host, hear)
            missing = tuple(question for question in host.asks if question.id not in answered)
            arrivals.put_nowait(Arrival(host, [*outputs, *unanswered_outputs(host.node, missing, reason, beginning)]))

    async def _reason(self, host: FleetHost, hear: wire.Hear) -> tuple[str, bytes]:
        """Connect and query; returns why answers may be missing, and the beginning of the output that came instead."""
        where = host.address if host.port == PORT else f"{host.address} port {host.port}"
        limit = host.seconds + self.patience.spare_seconds
        try:
            connection = await ssh_connection.connect(self.trusted, host.address, host.port, self.patience)
        except ssh_connection.HostRefusedError as refused:
            return str(refused), b""
        except Exception as error:  # noqa: BLE001 - exceptions for a broken sshd have no common base
            return f"{where} failed ({str(error) or type(error).__name__}): look at the log of its sshd", b""
        try:
            async with asyncio.timeout(limit):
                return await self._converse(connection, host, hear), b""
        except foreign.RefusedAnswerError as excess:
            return f"{where} failed ({excess}): find out what answers there in place of the probe", excess.beginning
        except TimeoutError:
            why = f"{where} did not answer in time (limit {limit:g} s in all): check its power, network and load"
        except asyncssh.ConnectionLost:
            why = f"{where} closed the connection or stopped answering: look at its power and the log of its sshd"
        except Exception as error:  # noqa: BLE001 - likewise
            why = f"{where} failed ({str(error) or type(error).__name__}): look at the log of its sshd"
        finally:
            await _leave(connection)
        return why, b""

    async def _converse(self, connection: asyncssh.SSHClientConnection, host: FleetHost, hear: wire.Hear) -> str:
        """Send everything, then read answers; returns why some may be missing."""
        access = self.trusted.access
        command = wire.node_command(by=access.as_root(()))
        process: asyncssh.SSHClientProcess[bytes] = await connection.create_process(command, encoding=None)
        with contextlib.suppress(BrokenPipeError, ConnectionError):  # a probe that refuses its input says why
            process.stdin.write(wire.probe_bytes(self.zipapp, host.asks, host.cooldown))
            process.stdin.write_eof()
        conversation = wire.Conversation(host.node, host.asks, self.patience.most_bytes)
        while not conversation.ended and (block := await process.stdout.read(BLOCK)):
            for output in conversation.take(block):
                hear(output)
        if conversation.ended:
            return wire.LEFT_OUT
        errors = (await process.stderr.read(BLOCK)).decode(errors="replace")
        if refused := elevation.refusal(access.ssh_user, host.address, errors):
            return refused
        message = errors.strip().splitlines()
        return f"the probe on {host.address} ended early" + (f": {message[-1]}" if message else "")


async def _leave(connection: asyncssh.SSHClientConnection) -> None:
    connection.close()
    try:
        async with asyncio.timeout(CLOSING_SECONDS):
            await connection.wait_closed()
    except TimeoutError:
        connection.abort()
