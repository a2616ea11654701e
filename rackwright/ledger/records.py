"""Results of the ledger: plain records, so that no caller holds a database object."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True)
class Run:
    """One run of one site; `outcome` and `ended` are None until it is finished."""

    id: str
    site: str
    kind: str
    """``rehearse``, ``collect`` …: a run continues only runs of the same kind."""
    options: dict[str, Any]
    site_sha256: str
    """Hash of the site file with which the run was started; with another hash it is another run, and is not resumed."""
    started: datetime
    ended: datetime | None
    outcome: str | None


@dataclass(frozen=True)
class Event:
    """One event of a node."""

    when: datetime
    run: str
    kind: str
    """``step``, ``role``, ``verdict``, ``decision``, ``part``."""
    subject: str
    """Step name, role, check id, ``gate``, or place and serial of a part."""
    outcome: str
    """State of the step; ``changed``, ``failed`` or ``unreachable`` of a role; outcome of the verdict; ``accepted`` or
    ``refused``.
    """
    says: str


@dataclass(frozen=True)
class RoleEvent:
    """The result of one role on one node in one act of onboarding."""

    node: str
    role: str
    act: str
    """Name of the act in ``roles/site.yml``."""
    status: str
    """``ok``, ``failed``, ``unreachable``."""
    seconds: float
    """Seconds on the node."""
    changed: tuple[str, ...]
    message: str
    """Reason of a failure."""
    recorded: datetime
