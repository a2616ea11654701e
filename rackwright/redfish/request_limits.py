"""How long and how often a BMC is requested, and how much is read of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from rackwright.base import foreign
from rackwright.redfish.concurrency import limits


@dataclass(frozen=True)
class RequestLimits:
    """Timeouts, attempts and concurrency of the requests to one BMC."""

    connect_seconds: float = 5.0
    read_seconds: float = 15.0
    write_seconds: float = 60.0
    """Boot-mode writes take up to 20 s on some BMCs (comment in OpenStack Ironic, drivers/modules/redfish/management.py)."""
    upload_seconds: float = 3600.0
    """Of an image: some BMCs take 400 MB at a megabyte per second."""
    attempts: int = 3
    """For refused connections and HTTP 503; never for a refused account, which could lock it."""
    backoff_seconds: float = 0.5
    """Pause before the second attempt; doubled before each further one."""
    connections: int = field(default_factory=lambda: limits()["connections_per_bmc"])
    """At once to one BMC."""
    document: foreign.ForeignLimit = field(default_factory=lambda: foreign.limit("redfish_document"))
    visit: foreign.ForeignLimit = field(default_factory=lambda: foreign.limit("redfish_visit"))
    """Of all answers from log-in to log-out."""
