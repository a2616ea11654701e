"""Where a BMC listens: from the address in the design to the base URL of its Redfish service."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from rackwright.base.errors import OutsideError


def base_url(address: str) -> str:
    """The origin (``https://host[:port]``) for `address`: a host, ``host:port``, or a URL.

    Plain HTTP is refused except on loopback addresses, where emulators listen.
    Raises OutsideError for anything that is not an origin.
    """
    url = address if "://" in address else f"https://{_bracketed(address)}"
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port is not None else ""
    except ValueError as error:
        raise OutsideError(f"BMC address {address!r} cannot be read ({error}): correct it in the design") from error
    host = parts.hostname or ""
    if not host or parts.path.strip("/") or parts.query or parts.username or parts.scheme not in {"http", "https"}:
        raise OutsideError(f"BMC address {address!r} is not a host or https://host: correct it in the design")
    if parts.scheme == "http" and not _loopback(host):
        raise OutsideError(f"BMC {host} would get its password in clear over http: use its https address")
    return f"{parts.scheme}://{_bracketed(host)}{port}"


def _bracketed(host: str) -> str:
    try:
        return f"[{host}]" if ip_address(host).version == 6 else host
    except ValueError:
        return host


def _loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
