"""Which certificate a BMC must show: one that chains to a CA, or the one that is pinned."""

from __future__ import annotations

import asyncio
import hashlib
import ssl
from functools import cache
from pathlib import Path

import aiohttp
from yarl import URL

from rackwright.base.errors import OutsideError
from rackwright.model.access import Access
from rackwright.redfish.address import base_url

CONNECT_SECONDS = 10.0


def trusted(access: Access, address: str) -> ssl.SSLContext | aiohttp.Fingerprint:
    """What a connection to the BMC at `address` is held against. OutsideError for a CA file that cannot be read."""
    pin = access.bmc_pins.get(address)
    return aiohttp.Fingerprint(bytes.fromhex(pin)) if pin else _authority(access.bmc_ca)


async def certificate_pin(address: str) -> str:
    """SHA-256 of the certificate that answers at `address`, 64 hex digits. Nothing vouches for it: it is for the first use, on request.

    OutsideError when nobody shows one.
    """
    url = URL(base_url(address))
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            _, writer = await asyncio.open_connection(url.host, url.port, ssl=context)
    except (OSError, TimeoutError) as error:
        raise OutsideError(
            f"BMC {address} showed no certificate ({error or 'no answer'}): check its address and power"
        ) from error
    certificate = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    writer.close()
    return hashlib.sha256(certificate).hexdigest()


@cache
def _authority(path: Path | None) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=path)
    except OSError as error:
        raise OutsideError(
            f"CA file {path} of the BMCs cannot be read ({error}): correct control.bmc.ca_file"
        ) from error
