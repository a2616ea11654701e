"""Readings of the operating system of one node."""

from __future__ import annotations

from typing import ClassVar

from rackwright.model.base import Record


class Package(Record):
    """One installed package."""

    version: str
    held: bool
    status: str
    """dpkg status word (``installed``, ``half-configured``); ``installed`` or ``installed twice`` of an rpm package."""


class Packages(Record):
    """Packages of the node that belong to the software bill, by name (`dpkg-query`, or `rpm` and the list of dnf versionlock)."""

    packages: dict[str, Package]


OWN_CLOCK = "7F7F0101"
"""Reference of a daemon that serves its own clock (chrony.conf(5), directive `local`: 127.127.1.1)."""


class Clock(Record):
    """chrony's view of the clock (`chronyc -c tracking`)."""

    reference: str
    stratum: int
    offset_seconds: float
    """By how much the system clock is off true time now, signed."""
    leap_status: str
    """``Normal``, ``Not synchronised`` …"""
    frequency_ppm: float | None = None
    """How much too fast the clock would run uncorrected, in parts per million; negative: too slow."""
    root_delay_seconds: float | None = None
    """Round trip to the reference clock at stratum 1."""
    root_dispersion_seconds: float | None = None
    """Error that has gathered on the way from there."""

    @property
    def free_running(self) -> bool:
        """Whether the daemon serves its own clock: the offset that it reports is then measured against nothing."""
        return self.reference == OWN_CLOCK


class ClockSource(Record):
    """One time source of chrony."""

    name: str
    selected: bool
    """The clock follows it."""
    state: str
    """As chronyc(1) writes it: ``*`` selected, ``+`` combined, ``-`` not combined, ``?`` unreachable, ``x`` falseticker."""
    stratum: int
    reach: int
    """Answers to the last eight polls, one bit each, the newest lowest."""


class ClockSources(Record):
    """The time sources of the node (`chronyc -c -n sources`)."""

    sources: list[ClockSource]


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
    boot_id: str | None = None
    """Drawn by the kernel once at every boot (random(4)); None of evidence that older collectors took."""


class Services(Record):
    """State of the units that the roles promise (`systemctl is-active`, `is-enabled`)."""

    active: dict[str, str]
    enabled: dict[str, str]


class SystemdUnits(Record):
    """Units of systemd that have failed (`systemctl list-units --state=failed`)."""

    reading_name: ClassVar[str] = "Units"

    failed: list[str]


class UserLimits(Record):
    """Resource limits of the session that a login gets (`prlimit`); None is unlimited."""

    reading_name: ClassVar[str] = "Limits"

    open_files: int | None
    stack_bytes: int | None
    processes: int | None
