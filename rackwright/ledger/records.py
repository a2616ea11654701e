"""What the ledger answers with: plain records, so that no caller holds a database object."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True)
class Run:
    """One run of one site; `outcome` and `ended` are None while it is not finished."""

    id: str
    site: str
    kind: str
    """``rehearse``, ``collect`` …: runs of one kind continue one another."""
    options: dict[str, Any]
    site_sha256: str
    """Hash of the site file the run was started with; a resumed run with another one is another run."""
    started: datetime
    ended: datetime | None
    outcome: str | None


@dataclass(frozen=True)
class Event:
    """One thing that happened to a node, in the order in which it happened."""

    when: datetime
    run: str
    kind: str
    """``step``, ``role``, ``verdict``, ``decision``, ``part``."""
    subject: str
    """Step name, role, check id, ``gate``, or place and serial of a part."""
    outcome: str
    """State of the step, ``changed``, ``failed`` or ``unreachable`` of a role, outcome of the verdict, ``accepted`` or ``refused``."""
    says: str


@dataclass(frozen=True)
class RoleEvent:
    """What one role did on one node in one act of onboarding."""

    node: str
    role: str
    act: str
    """Name of the act, as ``roles/site.yml`` has it."""
    status: str
    """``ok``, ``failed``, ``unreachable``."""
    seconds: float
    """Time on the node."""
    changed: tuple[str, ...]
    message: str
    """Why it failed."""
    recorded: datetime
