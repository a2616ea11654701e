"""The input of Ansible and its reported results."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from rackwright.base import content
from rackwright.model.base import Record


class Inventory(Record):
    """Hosts, groups and variables; a group named after a role switches the role on."""

    hosts: dict[str, dict[str, Any]]
    groups: dict[str, list[str]]
    variables: dict[str, Any]
    roots: content.Roots = Field(default_factory=content.shipped, exclude=True)
    """Where the roles are."""


class RoleRecap(Record):
    """What one role did on one host, over all acts of a run."""

    seconds: float = 0.0
    """Time on the host; 0 where only tasks were timed."""
    changed: tuple[str, ...] = ()
    """What it changed (or, in a check, would change), in order."""


class HostRecap(Record):
    """Ansible's own counts for one host, and what they omit."""

    ok: int
    changed: int
    unreachable: int
    failed: int
    first_failure: str = ""
    """Why the host is not as declared: task and message of the first failure, running jobs, or the reboot that it needs."""
    wave: str = ""
    """Wave in which it was played; empty when the run ended before its turn."""
    attempts: int = 1
    """How often it was played: 0 when it was never touched, 2 after one retry."""
    busy: tuple[str, ...] = ()
    """Jobs that run on it, for which it was left alone."""
    reboot: tuple[str, ...] = ()
    """Why it needs a reboot that it did not get."""
    rebooted: bool = False
    roles: dict[str, RoleRecap] = {}
    """By role; empty where roles are played task by task."""

    @property
    def good(self) -> bool:
        """True when the host is as declared, or was checked without a failure."""
        return not (self.failed or self.unreachable or self.busy or self.reboot)

    @property
    def awaits_reboot(self) -> bool:
        """True when it is done up to the reboot that it was not allowed; Ansible counts that as a failure."""
        return bool(self.reboot) and not self.rebooted

    @property
    def broken(self) -> bool:
        """True when it failed or did not answer, for another reason than a reboot that was not allowed."""
        return bool(self.failed or self.unreachable) and not self.awaits_reboot

    @property
    def status(self) -> str:
        """``unreachable``, ``reboot needed``, ``failed``, ``busy``, ``changed`` or ``unchanged``."""
        words = {
            "unreachable": self.unreachable, "reboot needed": self.awaits_reboot, "failed": self.failed or self.reboot,
            "busy": self.busy, "changed": self.changed,
        }  # fmt: skip
        return next((word for word, holds in words.items() if holds), "unchanged")


class WaveRecap(Record):
    """Result of one wave."""

    name: str
    hosts: int
    bad: int
    """Hosts that failed or did not answer, retries included."""
    seconds: float


class Recap(Record):
    """Result of one onboarding run."""

    hosts: dict[str, HostRecap]
    seconds: float
    task_seconds: dict[str, float]
    """Time by role: the sum of the hosts' own where roles report it, else wall time in which at least one host was at it."""
    waves: tuple[WaveRecap, ...] = ()
    stopped: str = ""
    """Why the run ended before its last wave; empty when it did not."""

    @property
    def good(self) -> bool:
        """True when every host was played, answered, failed at nothing, and lacks no reboot."""
        return all(host.good for host in self.hosts.values())
