"""Switches over SSH: power supplies, fans and temperatures, as the network operating system of each tells them."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Iterator

import asyncssh
import polars as pl

from rackwright.base import foreign
from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.transports import ssh_connection
from rackwright.collect.transports.connection_limits import Patience
from rackwright.collect.transports.ssh_errors import PORT
from rackwright.model.design import Design
from rackwright.model.evidence.switch_health import WELL, SwitchHealth
from rackwright.preflight.result import ProbeError, ProbeReading

COLLECTOR = "switch_environment"
IPV4 = 4


def management_addresses(design: Design) -> dict[str, str]:
    """The address of the management port of each switch that has one in a network of the site, by switch, in design order."""
    switches = design.devices.filter(pl.col("kind") == "switch").select("device", "sku")
    ports = [
        (device, part.management_port)
        for device, sku in switches.iter_rows()
        if (part := design.switches[sku]).management_port
    ]
    rows = design.addresses.filter(pl.col("family") == IPV4).select("device", "interface", "address")
    addresses = {(device, interface): address for device, interface, address in rows.iter_rows()}
    return {device: addresses[device, port] for device, port in ports if (device, port) in addresses}


async def look(
    address: str, trust: ssh_connection.Trust, limits: Patience, collector: Collector, port: int = PORT
) -> ProbeReading:
    """What a switch tells of its parts.

    ProbeError without a log-in, with an answer that cannot be read, or when a part is not well.
    """
    try:
        connection = await ssh_connection.connect(trust, address, port, limits)
    except ssh_connection.HostRefusedError as refused:
        raise ProbeError(str(refused)) from None
    try:
        async with connection, asyncio.timeout(collector.seconds):
            process = await connection.create_process(
                shlex.join(collector.command), stdin=asyncssh.DEVNULL, encoding=None
            )
            printed = await foreign.read_all(process.stdout, foreign.limit("node_document").bytes)
    except (asyncssh.Error, OSError, TimeoutError, foreign.RefusedAnswerError) as error:
        raise ProbeError(
            f"{address} logged in and then failed ({error or type(error).__name__}): log in by hand and look at its log"
        ) from None
    return read(address, trust.access.ssh_user, printed.decode(errors="replace"), collector)


def read(address: str, user: str, printed: str, collector: Collector) -> ProbeReading:
    """What `printed` says of the switch; advice for what it does not tell."""
    try:
        health = collector.parse(printed)
    except (ParseError, foreign.RefusedAnswerError) as error:
        raise ProbeError(
            f"{address} tells nothing of its parts ({error}): Cumulus Linux, NVOS and SONiC can be read; with them, let {user} run `nv show` or psushow"
        ) from None
    if faults := list(_faults(health)):
        raise ProbeError(f"{address}: {', '.join(faults)}: look at these parts before cables are tested over it")
    counts = {
        "power supplies": len(health.supplies),
        "fans": len(health.fans),
        "temperatures": len(health.temperatures) + len(health.modules),
    }
    well = ", ".join(f"{count} {noun}" for noun, count in counts.items())
    silent = [*_silent(health), *(f"no {noun}" for noun, count in counts.items() if not count)]
    return ProbeReading(f"{well}; not told: {', '.join(silent)}" if silent else f"{well} are well", advice=bool(silent))


def _faults(health: SwitchHealth) -> Iterator[str]:
    for part in (*health.supplies, *health.fans):
        if part.state not in (WELL, None):
            yield f"{part.name} is {part.state}"
    for sensor in (*health.temperatures, *health.modules):
        if sensor.celsius is not None and sensor.most is not None and sensor.celsius > sensor.most:
            yield f"{sensor.name} has {sensor.celsius:g} °C of {sensor.most:g} °C"


def _silent(health: SwitchHealth) -> Iterator[str]:
    """Parts without a state, and sensors without a reading; one without a limit of its own is none that was checked."""
    yield from (part.name for part in (*health.supplies, *health.fans) if part.state is None)
    yield from (
        sensor.name
        for sensor in (*health.temperatures, *health.modules)
        if sensor.celsius is None or sensor.most is None
    )
