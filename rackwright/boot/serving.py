"""Runs DHCP and HTTP together until a signal, or until every machine is installed where that is requested."""

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
from rackwright.boot.dnsmasq import Dnsmasq
from rackwright.boot.http_server import BootServer, application
from rackwright.boot.install_records import InstallRecord
from rackwright.boot.progress import report_boots
from rackwright.redfish.boot_watch import BootWatch

ENDED = ("installed", "held")


@dataclass(frozen=True)
class BootListening:
    """Where the server answers."""

    host: str
    port: int
    interface: str
    """Of DHCP and TFTP; empty: HTTP alone."""
    until_done: bool = False
    """End once no machine is left that waits or installs."""


async def serve(
    server: BootServer,
    where: BootListening,
    folder: Path,
    started: Callable[[int], None],
    watches: Mapping[str, BootWatch] = MappingProxyType({}),
) -> dict[str, InstallRecord]:
    """Serve, and report what the `watches` of nodes say; returns what is known of every machine at the end. OutsideError for an address that is taken, or when dnsmasq ends."""
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
    return server.installations.states()


async def _until_ended(
    server: BootServer, where: BootListening, folder: Path, ended: asyncio.Event, watches: Mapping[str, BootWatch]
) -> None:
    tasks: list[asyncio.Future[object]] = [asyncio.ensure_future(ended.wait())]
    if watches:
        tasks.append(asyncio.ensure_future(report_boots(server.installations, watches)))
    dnsmasq = Dnsmasq(folder, server.log) if where.interface else None
    if dnsmasq:
        dnsmasq.write(server.installations.targets(server.loader.name))
        config = dhcp.config(folder, where.interface, list(server.installations.installs.values()), server.loader.name)
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
    while not (where.until_done and all(record.state in ENDED for record in server.installations.states().values())):
        with suppress(TimeoutError):
            async with asyncio.timeout(server.installations.bounds.renew_seconds):
                await server.wait_for_change()
        if dnsmasq:
            dnsmasq.write(server.installations.targets(server.loader.name))
