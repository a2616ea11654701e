"""Runs DHCP and HTTP together until a signal, or until every machine is installed or runs where that is requested."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from aiohttp import web

from rackwright.base.errors import OutsideError
from rackwright.boot import dhcp
from rackwright.boot.dhcp import BootTarget, SwitchTarget
from rackwright.boot.dnsmasq import Dnsmasq
from rackwright.boot.http_server import BootServer, application
from rackwright.boot.install_records import InstallRecord, StartRecord
from rackwright.boot.progress import report_boots
from rackwright.boot.switch_starts import ENDED as SWITCH_ENDED
from rackwright.boot.switch_starts import INSTALLER
from rackwright.plugin.system_wire import ARRIVED
from rackwright.redfish.boot_watch import BootWatch

ENDED = (*ARRIVED, "held")


@dataclass(frozen=True)
class BootListening:
    """Where the server answers."""

    host: str
    port: int
    interfaces: tuple[str, ...]
    """Of DHCP and TFTP; none: HTTP alone."""
    until_done: bool = False
    """End once no machine is left that waits or installs, and no switch that waits or starts."""


async def serve(
    server: BootServer,
    where: BootListening,
    folder: Path,
    started: Callable[[int], None],
    watches: Mapping[str, BootWatch] = MappingProxyType({}),
) -> dict[str, InstallRecord | StartRecord]:
    """Serve, and report what the `watches` of nodes say; returns the state of every machine and switch at the end.

    OutsideError for an address that is taken, or when dnsmasq ends.
    """
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    runner = web.AppRunner(application(server), handle_signals=False, access_log=None)
    await runner.setup()
    try:
        try:
            site = web.TCPSite(runner, where.host, where.port)
            await site.start()
        except OSError as error:
            raise OutsideError(
                f"{where.host}:{where.port} cannot be listened on ({error.strerror}): give another --listen"
            ) from None
        started(runner.addresses[0][1])
        await _until_ended(server, where, folder, ended, watches)
    finally:
        await runner.cleanup()
    return {**server.installations.states(), **server.switches.states()}


async def _until_ended(
    server: BootServer, where: BootListening, folder: Path, ended: asyncio.Event, watches: Mapping[str, BootWatch]
) -> None:
    tasks: list[asyncio.Future[object]] = [asyncio.ensure_future(ended.wait())]
    if watches:
        tasks.append(asyncio.ensure_future(report_boots(server.installations, watches)))
    dnsmasq = Dnsmasq(folder, server.log) if where.interfaces else None
    if dnsmasq:
        dnsmasq.write(*_targets(server))
        loader = server.loader.name if server.loader else ""
        installs, starts = list(server.installations.installs.values()), list(server.switches.starts.values())
        config = dhcp.config(folder, where.interfaces, installs, starts, loader)
        tasks.append(asyncio.ensure_future(dnsmasq.run(config, server.loader)))
    tasks.append(asyncio.ensure_future(_follow(server, where, dnsmasq)))
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*tasks, return_exceptions=True)


async def _follow(server: BootServer, where: BootListening, dnsmasq: Dnsmasq | None) -> None:
    """Write the files of DHCP again after each change of a state, and before its URLs expire; returns once nothing is left to do."""
    while not (where.until_done and _done(server)):
        with suppress(TimeoutError):
            async with asyncio.timeout(server.installations.bounds.renew_seconds):
                await server.wait_for_change()
        if dnsmasq:
            dnsmasq.write(*_targets(server))


def _done(server: BootServer) -> bool:
    machines = all(record.state in ENDED for record in server.installations.states().values())
    return machines and all(record.state in SWITCH_ENDED for record in server.switches.states().values())


def _targets(server: BootServer) -> tuple[list[BootTarget], list[SwitchTarget]]:
    """Who gets an answer of DHCP now, with fresh URLs."""
    switches = []
    for start in server.switches.open():
        url = server.switches.folder(start.name, "start")
        installer = f"{url}/{INSTALLER}" if start.system in server.switches.installers else ""
        switches.append(SwitchTarget(start, url, installer))
    return server.installations.targets(server.loader.name if server.loader else ""), switches
