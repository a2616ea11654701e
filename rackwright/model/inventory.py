"""What Ansible is given and what it reports."""

from __future__ import annotations

from typing import Any

from rackwright.model.base import Record


class Inventory(Record):
    """Hosts, groups and variables; a group named after a role switches the role on."""

    hosts: dict[str, dict[str, Any]]
    groups: dict[str, list[str]]
    variables: dict[str, Any]


class HostRecap(Record):
    """Ansible's own counts for one host."""

    ok: int
    changed: int
    unreachable: int
    failed: int
    first_failure: str = ""
    """Task and message of the first failure."""


class Recap(Record):
    """Result of one onboarding run."""

    hosts: dict[str, HostRecap]
    seconds: float
    task_seconds: dict[str, float]
    """Wall time by role."""

    @property
    def good(self) -> bool:
        """True when every host answered and no task failed."""
        return not any(host.failed or host.unreachable for host in self.hosts.values())
