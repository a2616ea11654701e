"""The options of ``rackwright onboard --mode pull``."""

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
    from rackwright.onboard import PullListening

    host, _, port = text.rpartition(":")
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        raise UsageError(f"--listen {text}: give an address and a port of this machine, as 10.0.0.5:8443") from None
    if not port.isdecimal() or not 0 < int(port) <= LAST_PORT:
        raise UsageError(f"--listen {text}: {port or 'nothing'} is no port, 1 to {LAST_PORT}")
    if address.is_unspecified or address.is_loopback:
        raise UsageError(f"--listen {text}: nodes cannot call that: give the address by which they reach this machine")
    return PullListening(str(address), int(port))
