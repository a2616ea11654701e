"""Options that name where nodes ask for their orders: ``rackwright onboard --mode pull``, ``rackwright boot-server --pull``."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING

from rackwright.base.errors import UsageError

if TYPE_CHECKING:
    from rackwright.onboard import PullListening

LAST_PORT = 65535


def listening(mode: str, text: str | None, *, enrol: bool) -> PullListening | None:
    """The address that nodes call in pull mode; None in other modes. UsageError for options that contradict each other, or an invalid address."""
    if mode != "pull":
        if text is not None or enrol:
            raise UsageError(
                f"{'--listen' if text is not None else '--enrol'} is of --mode pull, and this is --mode {mode}"
            )
        return None
    if text is None:
        raise UsageError("--mode pull: give the address at which nodes reach this machine with --listen ADDRESS:PORT")
    return address("--listen", text)


def address(option: str, text: str) -> PullListening:
    """The address in the `text` of `option`. UsageError for one that nodes cannot call."""
    from rackwright.onboard import PullListening

    host, _, port = text.rpartition(":")
    try:
        parsed = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        raise UsageError(f"{option} {text}: give an address and a port of this machine, as 10.0.0.5:8443") from None
    if not port.isdecimal() or not 0 < int(port) <= LAST_PORT:
        raise UsageError(f"{option} {text}: {port or 'nothing'} is no port, 1 to {LAST_PORT}")
    if parsed.is_unspecified or parsed.is_loopback:
        raise UsageError(f"{option} {text}: nodes cannot call that: give the address by which they reach this machine")
    return PullListening(str(parsed), int(port))
