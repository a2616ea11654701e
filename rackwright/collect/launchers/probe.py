"""Runs the probe on nodes by ``srun`` instead of SSH: for sites whose nodes accept logins only through the scheduler.

One step serves all nodes with the same questions; Slurm forwards our input to each of them. A node to which Slurm gives
no jobs cannot be reached this way. The node that a line is from is taken from srun, never from the line (`srun_lines`).
"""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass

import asyncssh

from rackwright.base import elevation
from rackwright.collect import collector, wire
from rackwright.collect.launchers import srun_lines
from rackwright.collect.launchers.launcher import KILL_SECONDS, START_SECONDS
from rackwright.collect.output import Output, unanswered_outputs
from rackwright.collect.service import unavailable_nodes
from rackwright.collect.transports import fleet, ssh_connection
from rackwright.collect.transports.connection_limits import Patience
from rackwright.model.access import Access

PIECE = 800
"""Characters of a line: srun keeps lines of up to 1,024 bytes whole (slurm, ``SLURM_IO_MAX_MSG_LEN``)."""

WRITER = f"""
class LineWriter:
    fileno = sys.stdout.fileno
    flush = sys.stdout.flush
    stream = sys.stdout
    def write(self, text):
        line = text.rstrip("\\n")
        for start in range(0, len(line), {PIECE}):
            more = "+" if start + {PIECE} < len(line) else "."
            self.stream.write("@%s%s\\n" % (more, line[start:start + {PIECE}]))
sys.stdout = LineWriter()
"""
"""Code that precedes the probe: it sends every line in pieces that srun does not tear."""


@dataclass(frozen=True)
class Controller:
    """The host on which srun is run."""

    name: str
    address: str
    partition: str
    port: int = 22

    @property
    def scheduler(self) -> str:
        """Name of the scheduler whose nodes it reaches."""
        return "slurm"

    def ask(
        self, hosts: Sequence[fleet.FleetHost], access: Access, zipapp: bytes, patience: Patience | None = None
    ) -> AsyncIterator[fleet.Arrival]:
        """See `ask` of this module."""
        return ask(hosts, self, access, zipapp, patience)


async def ask(
    hosts: Sequence[fleet.FleetHost],
    controller: Controller,
    access: Access,
    zipapp: bytes,
    patience: Patience | None = None,
) -> AsyncIterator[fleet.Arrival]:
    """Yield answers as they arrive; when a host is through, each of its questions has an Output.

    Raises OutsideError if our own key or known_hosts file cannot be read.
    """
    limits = patience or Patience()
    session = _Session(controller, ssh_connection.trust(access, limits), zipapp, limits)
    try:
        out = await session.aside()
    except (ssh_connection.HostRefusedError, asyncssh.Error, OSError, ValueError, TimeoutError) as failure:
        reason = f"Slurm on {controller.name} does not answer: {str(failure) or 'it took too long'}"
        for host in hosts:
            yield fleet.Arrival(host, unanswered_outputs(host.node, host.asks, reason))
        return
    for host in (silent for silent in hosts if silent.node in out):
        yield fleet.Arrival(host, unanswered_outputs(host.node, host.asks, out[host.node]))
    steps = _groups_with_equal_questions(silent for silent in hosts if silent.node not in out)
    arrivals: asyncio.Queue[fleet.Arrival] = asyncio.Queue()
    running = [asyncio.create_task(session.step(step, arrivals)) for step in steps]
    try:
        for _ in range(sum(map(len, steps))):
            yield await arrivals.get()
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


def _groups_with_equal_questions(hosts: Iterable[fleet.FleetHost]) -> list[list[fleet.FleetHost]]:
    """Groups of hosts with the same questions."""
    groups: dict[tuple[object, ...], list[fleet.FleetHost]] = {}
    for host in hosts:
        groups.setdefault((host.cooldown, *host.asks), []).append(host)
    return list(groups.values())


def srun(nodes: Sequence[str], partition: str, seconds: float) -> list[str]:
    """The argument list of srun: one small task on each node beside the jobs that run there."""
    return [
        "timeout",
        f"--kill-after={KILL_SECONDS}",
        f"{seconds:.0f}",
        "srun",
        "--label",
        "--verbose",
        "--job-name=rackwright-probe",
        f"--partition={partition}",
        f"--nodelist={','.join(nodes)}",
        f"--nodes={len(nodes)}",
        f"--ntasks={len(nodes)}",
        "--ntasks-per-node=1",
        "--cpus-per-task=1",
        f"--immediate={START_SECONDS:.0f}",
        f"--time={-(-round(seconds) // 60)}",
        "--no-kill",
        "--kill-on-bad-exit=0",
        "--wait=0",
        "--",
        "sh",
        "-c",
        wire.node_command(WRITER),
    ]


@dataclass(frozen=True)
class _Session:
    controller: Controller
    trusted: ssh_connection.Trust
    zipapp: bytes
    patience: Patience

    async def aside(self) -> dict[str, str]:
        """Nodes on which Slurm starts nothing -> the reason. ValueError if Slurm's list cannot be read."""
        connection = await ssh_connection.connect(
            self.trusted, self.controller.address, self.controller.port, self.patience
        )
        async with connection, asyncio.timeout(self.patience.spare_seconds):
            line = shlex.join(self.trusted.access.as_root(("scontrol", "show", "node")))
            done = await connection.run(line, encoding="utf-8", errors="replace")
        if done.exit_status != 0:
            errors = str(done.stderr or "").strip() or "it printed nothing"
            user, where = self.trusted.access.ssh_user, self.controller.address
            raise ValueError(elevation.refusal(user, where, errors) or errors.splitlines()[-1])
        return unavailable_nodes(collector.library()["scheduler"].parse(str(done.stdout)), "ask it over SSH")

    async def step(self, hosts: Sequence[fleet.FleetHost], arrivals: asyncio.Queue[fleet.Arrival]) -> None:
        """Run one srun for all of `hosts`; if Slurm cannot give them together, one srun for each."""
        waiting = {host.node: _Listener(host, self.patience.most_bytes) for host in hosts}
        reason = await self._run(hosts, waiting, arrivals)
        silent = [host for host in hosts if host.node in waiting and not waiting[host.node].begun]
        if len(silent) == len(hosts) > 1:
            await asyncio.gather(*(self.step([host], arrivals) for host in silent))
            return
        for listener in waiting.values():
            arrivals.put_nowait(listener.arrival(reason))

    async def _run(
        self,
        hosts: Sequence[fleet.FleetHost],
        waiting: dict[str, _Listener],
        arrivals: asyncio.Queue[fleet.Arrival],
    ) -> str:
        """Start srun and take its lines; returns why answers may be missing."""
        limit = hosts[0].seconds + self.patience.spare_seconds + START_SECONDS
        step = srun([host.node for host in hosts], self.controller.partition, limit)
        line = shlex.join(self.trusted.access.as_root(step))
        try:
            connection = await ssh_connection.connect(
                self.trusted, self.controller.address, self.controller.port, self.patience
            )
            async with connection, asyncio.timeout(limit + self.patience.spare_seconds):
                process = await connection.create_process(line, encoding=None)
                process.stdin.write(wire.probe_bytes(self.zipapp, hosts[0].asks, hosts[0].cooldown))
                process.stdin.write_eof()
                srun_words = srun_lines.OwnWords(process.stderr)
                tasks = await srun_words.tasks(len(hosts))
                draining = asyncio.create_task(srun_words.drain())
                buffer = bytearray()
                while waiting and (block := await process.stdout.read(fleet.BLOCK)):
                    for received in srun_lines.lines(buffer, block):
                        _take_line(received, tasks, waiting, arrivals)
                if waiting:
                    await draining
                draining.cancel()
        except TimeoutError:
            return f"srun on {self.controller.name} did not end within {limit:g} s"
        except Exception as failure:  # noqa: BLE001 - whatever it is, the nodes of this step have no answer, and the others must not wait for them
            return f"{self.controller.name}: {str(failure) or type(failure).__name__}"
        return f"srun on {self.controller.name}: {srun_words.error or 'the probe ended early'}"


class _Listener:
    """Collects the answers of one node."""

    def __init__(self, host: fleet.FleetHost, most_bytes: int) -> None:
        self.host = host
        self.begun = False
        self._answers: list[Output] = []
        self._conversation = wire.Conversation(host.node, host.asks, most_bytes)

    def take(self, piece: bytes) -> bool:
        """True if the node has sent its last line. ValueError for a line that the probe cannot have sent."""
        self.begun = True
        self._answers += self._conversation.take(piece)
        return self._conversation.ended

    def arrival(self, reason: str) -> fleet.Arrival:
        """The answers received, with errors for the missing ones."""
        answered = {wire.question_id(output) for output in self._answers}
        missing = tuple(ask for ask in self.host.asks if ask.id not in answered)
        return fleet.Arrival(self.host, [*self._answers, *unanswered_outputs(self.host.node, missing, reason)])


def _take_line(
    line: bytes,
    tasks: Mapping[int, str],
    waiting: dict[str, _Listener],
    arrivals: asyncio.Queue[fleet.Arrival],
) -> None:
    """Take one line of srun, for the node of the task that its label names."""
    task, piece = srun_lines.labelled(line)
    listener = waiting.get(tasks.get(task, ""))
    if listener is None:
        return  # a greeting of a login profile
    if not piece.startswith(b"@"):
        return
    piece = piece[1:]
    try:
        through, reason = listener.take(piece[1:] + (b"\n" if piece[:1] == b"." else b"")), wire.LEFT_OUT
    except ValueError as error:
        through, reason = True, str(error)
    if through:
        arrivals.put_nowait(waiting.pop(listener.host.node).arrival(reason))
