"""Host names of the site file: each must have an address here, where the programs run that use it."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from contextlib import suppress

from rackwright.preflight.result import ProbeError, ProbeReading


def is_address(host: str) -> bool:
    """Whether `host` is an address, which needs no name server."""
    with suppress(ValueError):
        return bool(ipaddress.ip_address(host))
    return False


async def resolve(host: str, seconds: float) -> ProbeReading:
    """The addresses of a name."""
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(seconds):
            entries = await loop.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except TimeoutError:
        raise ProbeError(f"{host}: no answer of a name server in {seconds:g} s: check /etc/resolv.conf") from None
    except (socket.gaierror, UnicodeError) as error:
        raise ProbeError(
            f"{host} has no address ({error}): enter it in DNS, or give an address in the site file"
        ) from None
    return ProbeReading(", ".join(dict.fromkeys(str(entry[4][0]) for entry in entries)))
