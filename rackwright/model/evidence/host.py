"""What the operating system of one node says."""

from __future__ import annotations

from rackwright.model.base import Record


class Package(Record):
    """One installed package."""

    version: str
    held: bool
    status: str
    """dpkg status word (``installed``, ``half-configured``)."""


class Packages(Record):
    """Packages of the node that belong to the software bill, by name (`dpkg-query` and `apt-mark showhold`)."""

    packages: dict[str, Package]


class Clock(Record):
    """chrony's view of the clock (`chronyc -c tracking`)."""

    reference: str
    stratum: int
    offset_seconds: float
    """Last offset of the system clock from true time, signed."""
    leap_status: str
    """``Normal``, ``Not synchronised`` …"""


class Host(Record):
    """Kernel, command line, modules, limits."""

    hostname: str
    kernel: str
    os_id: str
    os_version: str
    cpus: int
    memory_bytes: int
    modules: list[str]
    sysctl: dict[str, str]
    memlock_limit_bytes: int | None
    """Soft limit a login session gets; None is unlimited."""


class Services(Record):
    """State of the units that the roles promise (`systemctl is-active`, `is-enabled`)."""

    active: dict[str, str]
    enabled: dict[str, str]
