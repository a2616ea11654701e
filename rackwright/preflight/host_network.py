"""The in-band network as a host has it: its address with the mask of the design, a gateway that answers, and full packets that arrive.

A mask or an address that DHCP handed out wrongly, a gateway that is not there and a switch with a smaller MTU all let a host log in, and stop it later.
"""

from __future__ import annotations

import asyncio
import json
import shlex
from dataclasses import dataclass
from typing import Any

import asyncssh

from rackwright.base import foreign
from rackwright.collect.transports import ssh_connection
from rackwright.collect.transports.connection_limits import Patience
from rackwright.collect.transports.ssh_errors import PORT
from rackwright.preflight.result import ProbeError, ProbeReading

LOOK = (
    "ip -json -4 address show; echo; ip -json -4 route show default; echo; "
    "for gateway in $(ip -4 route show default | sed -n 's/^default via \\([^ ]*\\).*/\\1/p'); do "
    'bash -c "echo > /dev/udp/$gateway/9" 2>/dev/null; sleep {seconds}; ip -json -4 neighbour show to "$gateway"; done'
)
"""Three lines of JSON. Port 9 of a gateway (discard, RFC 863) makes the kernel look for its MAC address; nothing has to answer there."""
FULL = 65_536
"""Bytes in one go: they fill the packets of any MTU."""
FILL_SECONDS = 15.0
"""Most patience with them: TCP sends lost packets again after 1, 3 and 7 s (RFC 6298), and then something else than luck is amiss."""
FILL = f"head -c {FULL} /dev/zero"
ANSWERS = {"REACHABLE", "STALE", "DELAY", "PROBE", "PERMANENT", "NOARP"}
"""States of a neighbour whose MAC address is known (ip-neighbour(8))."""


@dataclass(frozen=True)
class HostAddress:
    """What the design gives a host on its in-band network."""

    address: str
    prefix: int


async def look(
    expected: HostAddress, trust: ssh_connection.Trust, limits: Patience, settle_seconds: float
) -> ProbeReading:
    """What the host says of its network; ProbeError for a mask, gateway or MTU that will stop it later."""
    try:
        connection = await ssh_connection.connect(trust, expected.address, PORT, limits)
    except ssh_connection.HostRefusedError as refused:
        raise ProbeError(str(refused)) from None
    most = foreign.limit("beginning").bytes
    try:
        async with connection:
            async with asyncio.timeout(limits.spare_seconds):
                script = shlex.join(["sh", "-c", LOOK.replace("{seconds}", f"{settle_seconds:g}")])
                answer = await connection.run(script, stdin=asyncssh.DEVNULL, encoding=None)
            reading = read(expected, _stdout(answer)[: 16 * most])
            await _fill(expected.address, connection, reading.text)
    except (asyncssh.Error, OSError) as error:
        raise ProbeError(
            f"{expected.address} logged in and then failed ({error}): look at the log of its sshd"
        ) from None
    except TimeoutError:
        raise ProbeError(f"{expected.address} did not say in time how its network is: look at its load") from None
    return reading


async def _fill(address: str, connection: asyncssh.SSHClientConnection, text: str) -> None:
    """ProbeError when packets as large as the host may send do not arrive here."""
    try:
        async with asyncio.timeout(FILL_SECONDS):
            filled = await connection.run(FILL, stdin=asyncssh.DEVNULL, encoding=None)
    except TimeoutError:
        raise ProbeError(
            f"small packets of {address} arrive and full ones do not ({text}): give the switches and routers in between its MTU, or the host theirs"
        ) from None
    if (count := len(_stdout(filled))) != FULL:
        raise ProbeError(f"{address} sent {count} of {FULL} bytes: find out what its shell prints at log-in")


def _stdout(done: asyncssh.SSHCompletedProcess) -> bytes:
    content = done.stdout or b""
    return content if isinstance(content, bytes) else content.encode()


def read(expected: HostAddress, output: bytes) -> ProbeReading:
    """What the three commands printed."""
    interfaces, routes, *neighbours = _documents(expected.address, output)
    held = [
        (entry, interface)
        for interface in interfaces
        for entry in interface.get("addr_info", [])
        if entry.get("local") == expected.address
    ]
    if not held:
        raise ProbeError(
            f"{expected.address} answers, and no interface of that host has the address: something translates it, and nodes cannot reach it so"
        )
    entry, interface = held[0]
    name = interface.get("ifname")
    if entry.get("prefixlen") != expected.prefix:
        raise ProbeError(
            f"{name} of {expected.address} has the mask /{entry.get('prefixlen')}, and the in-band network has /{expected.prefix}: "
            f"correct it where it comes from ({_origin(entry)})"
        )
    states = {near.get("dst"): set(near.get("state", [])) for near in neighbours}
    gateways = [route["gateway"] for route in routes if route.get("gateway")]
    for gateway in gateways:
        if not states.get(gateway, set()) & ANSWERS:
            raise ProbeError(
                f"the gateway {gateway} of {expected.address} does not answer: correct the route where it comes from ({_origin(entry)}), or start the router"
            )
    by_gateway = f"gateway {', '.join(gateways)} answers" if gateways else "no default route"
    return ProbeReading(f"{name} has /{expected.prefix}, MTU {interface.get('mtu')}, by {_origin(entry)}; {by_gateway}")


def _origin(entry: dict[str, Any]) -> str:
    """Where an address comes from: what DHCP hands out ends by itself (ip-address(8), dynamic)."""
    return f"DHCP, lease of {entry.get('valid_life_time')} s" if entry.get("dynamic") else "a static setting"


def _documents(address: str, output: bytes) -> list[Any]:
    """Addresses, routes, and each neighbour that was found."""
    try:
        parts = [json.loads(line) for line in output.decode(errors="replace").splitlines() if line.strip()]
        addresses, routes = parts[0], parts[1]
        return [addresses, routes, *(near for part in parts[2:] for near in part)]
    except (ValueError, IndexError, TypeError):
        beginning = output[:80].decode(errors="replace").strip()
        raise ProbeError(
            f"{address} printed {beginning!a} for `ip -json`: install iproute2 there, or see what its shell prints at log-in"
        ) from None
