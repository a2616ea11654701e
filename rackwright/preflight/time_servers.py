"""Time servers: each must answer, be synchronised, and agree with the clock of this machine. One SNTP packet (RFC 5905, section 14)."""

from __future__ import annotations

import asyncio
import struct
import time
from typing import cast

from rackwright.model.evidence.host import OWN_CLOCK
from rackwright.preflight.result import ProbeError, ProbeReading

PORT = 123
PACKET = struct.Struct("!BBbb11I")
REQUEST = bytes([0x23]) + bytes(47)
"""Leap 0, version 4, mode 3 (client); nothing else is needed (RFC 5905, section 14)."""
EPOCH = 2208988800
"""Seconds from 1900-01-01, where NTP begins, to 1970-01-01 (RFC 5905, figure 4)."""
UNSYNCHRONISED_LEAP, UNSYNCHRONISED_STRATUM = 3, 16
"""RFC 5905, figures 9 and 11."""


class _Exchange(asyncio.DatagramProtocol):
    """One packet out, one packet in."""

    def __init__(self) -> None:
        self.answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        cast("asyncio.DatagramTransport", transport).sendto(REQUEST)  # that of asyncio is none by its type

    def datagram_received(self, data: bytes, addr: object) -> None:  # noqa: ARG002 - the form of a protocol
        if not self.answer.done():
            self.answer.set_result(data)

    def error_received(self, exc: Exception) -> None:
        if not self.answer.done():
            self.answer.set_exception(exc)


async def ask(server: str, port: int, seconds: float, most_offset_seconds: float) -> ProbeReading:
    """Stratum of `server`, and how far the clock of this machine is from its."""
    started = time.time()
    try:
        async with asyncio.timeout(seconds):
            transport, exchange = await asyncio.get_running_loop().create_datagram_endpoint(
                _Exchange, remote_addr=(server, port)
            )
            try:
                packet = await exchange.answer
            finally:
                transport.close()
    except TimeoutError:
        raise ProbeError(
            f"{server} did not answer in {seconds:g} s: check that it serves time and UDP {port} is open"
        ) from None
    except OSError as error:
        raise ProbeError(
            f"{server} does not serve time ({error.strerror or error}): start it, or name another server"
        ) from None
    return read(server, packet, (started + time.time()) / 2, most_offset_seconds)


def read(server: str, packet: bytes, now: float, most_offset_seconds: float) -> ProbeReading:
    """What a reply says; `now` is the time of this machine in the middle of the exchange (seconds since 1970)."""
    if len(packet) < PACKET.size:
        raise ProbeError(f"{server} answered {len(packet)} bytes, which is no time of NTP: find out what answers there")
    first, stratum, _, _, _, _, reference, *_, sent, fraction = PACKET.unpack_from(packet)
    if first >> 6 == UNSYNCHRONISED_LEAP or not 0 < stratum < UNSYNCHRONISED_STRATUM:
        raise ProbeError(f"{server} is not synchronised (stratum {stratum}): look at its own sources")
    offset = sent - EPOCH + fraction / 2**32 - now
    if abs(offset) > most_offset_seconds:
        raise ProbeError(
            f"{server} differs from the clock of this machine by {offset:+.1f} s, more than {most_offset_seconds:g} s: "
            "find out which one is wrong, and set it"
        )
    if reference == int(OWN_CLOCK, 16):
        return ProbeReading(
            f"stratum {stratum}, {offset:+.3f} s; it runs on its own clock, and so drifts with all nodes", advice=True
        )
    return ProbeReading(f"stratum {stratum}, {offset:+.3f} s")
