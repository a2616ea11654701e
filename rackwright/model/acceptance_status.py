"""Whether a node, rack, fabric, pool, part of a pool, scalable unit or the site is released to whoever schedules or provisions, since when and why."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rackwright.model.base import Record

SubjectKind = Literal["node", "rack", "fabric", "pool", "part", "unit", "site"]
State = Literal["held", "released"]


class AcceptanceStatus(Record):
    """What the gate says about one subject."""

    kind: SubjectKind
    name: str
    state: State
    """``released``: the gate has opened for it; ``held``: it has not, or what it had opened for is no longer there."""
    since: str | None = None
    """ISO time since which it is so; null where nothing was ever decided, or where nobody recorded when it changed."""
    reason: str
    """One sentence."""
    run: str = ""
    """Run of the gate that decided; empty where there is none."""
    gate: str = ""
    """Name of the last gate that counts for it."""
    nodes: int = Field(default=1, ge=0)
    """Accelerator nodes that belong to it."""
    released_nodes: int = Field(default=0, ge=0)
    """Those that are released themselves."""
    held_nodes: list[str] = []
    """The first of those that are held."""

    @property
    def key(self) -> tuple[str, str]:
        """(kind, name) of the subject."""
        return self.kind, self.name
