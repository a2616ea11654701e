"""The schema of the ledger. A change here needs a migration; a test compares the two.

Steps are never overwritten: a step that runs again is another row, so that the history stays complete.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, DateTime, Dialect, Float, ForeignKey, Index, MetaData, String, Text, TypeDecorator
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
}


class UtcDateTime(TypeDecorator[datetime]):
    """A time in UTC. SQLite drops time zones, so every time is stored and read as UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - SQLAlchemy's signature
        """Convert for the database; ValueError for a time without a time zone."""
        if value is not None and value.tzinfo is None:
            raise ValueError(f"the ledger needs moments with a time zone, got {value}")
        return value.astimezone(UTC) if value is not None else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - SQLAlchemy's signature
        """Convert from the database."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class LedgerTable(DeclarativeBase):
    """Base of all tables; constraint names are fixed so that migrations can name them."""

    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map = {dict[str, Any]: JSON, list[str]: JSON, datetime: UtcDateTime, str: Text}


class RunRow(LedgerTable):
    """A run."""

    __tablename__ = "runs"
    __table_args__ = (Index("ix_runs_site_kind", "site", "kind"),)

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    site: Mapped[str] = mapped_column(String(64))
    kind: Mapped[str] = mapped_column(String(32))
    options: Mapped[dict[str, Any]]
    site_sha256: Mapped[str] = mapped_column(String(64))
    started: Mapped[datetime]
    ended: Mapped[datetime | None]
    outcome: Mapped[str | None] = mapped_column(String(32))


class StepRow(LedgerTable):
    """One attempt at one step; `node` is empty for a step of the whole site."""

    __tablename__ = "steps"
    __table_args__ = (Index("ix_steps_run_step", "run", "step"), Index("ix_steps_node", "node"))

    id: Mapped[int] = mapped_column(primary_key=True)
    run: Mapped[str] = mapped_column(ForeignKey("runs.id"))
    step: Mapped[str] = mapped_column(String(64))
    node: Mapped[str | None] = mapped_column(String(64))
    state: Mapped[str] = mapped_column(String(16))
    started: Mapped[datetime]
    ended: Mapped[datetime | None]
    detail: Mapped[str]


class VerdictRow(LedgerTable):
    """A verdict other than a pass; `evidence` holds the hashes of the raw output.

    Before revision 0004 passes were rows as well.
    """

    __tablename__ = "verdicts"
    __table_args__ = (Index("ix_verdicts_run", "run"), Index("ix_verdicts_node", "node"))

    id: Mapped[int] = mapped_column(primary_key=True)
    run: Mapped[str] = mapped_column(ForeignKey("runs.id"))
    node: Mapped[str] = mapped_column(String(64))
    check: Mapped[str] = mapped_column("check", String(128))
    outcome: Mapped[str] = mapped_column(String(16))
    says: Mapped[str]
    evidence: Mapped[list[str]]
    recorded: Mapped[datetime]


class PassRow(LedgerTable):
    """The checks that passed on a node in a run: one row, as a large site has millions of passes."""

    __tablename__ = "passes"
    __table_args__ = (Index("ix_passes_run", "run"), Index("ix_passes_node", "node"))

    id: Mapped[int] = mapped_column(primary_key=True)
    run: Mapped[str] = mapped_column(ForeignKey("runs.id"))
    node: Mapped[str] = mapped_column(String(64))
    checks: Mapped[list[str]]
    recorded: Mapped[datetime]


class DecisionRow(LedgerTable):
    """Whether a node may join."""

    __tablename__ = "decisions"
    __table_args__ = (Index("ix_decisions_run", "run"), Index("ix_decisions_node", "node"))

    id: Mapped[int] = mapped_column(primary_key=True)
    run: Mapped[str] = mapped_column(ForeignKey("runs.id"))
    node: Mapped[str] = mapped_column(String(64))
    accepted: Mapped[bool]
    reason: Mapped[str]
    recorded: Mapped[datetime]


class GroupDecisionRow(LedgerTable):
    """Whether a gate is open for a rack, a fabric, a pool or the site."""

    __tablename__ = "group_decisions"
    __table_args__ = (Index("ix_group_decisions_run", "run"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    run: Mapped[str] = mapped_column(ForeignKey("runs.id"))
    gate: Mapped[str] = mapped_column(String(64))
    scope: Mapped[str] = mapped_column(String(16))
    group: Mapped[str] = mapped_column("group", String(128))
    open: Mapped[bool]
    covered: Mapped[int]
    """Nodes of the group that the run covered."""
    reason: Mapped[str]
    recorded: Mapped[datetime]


class DecidedStateRow(LedgerTable):
    """The state of a node by the evidence of a decision on it; fields that could not be read are empty."""

    __tablename__ = "decided_states"
    __table_args__ = (Index("ix_decided_states_run", "run"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    run: Mapped[str] = mapped_column(ForeignKey("runs.id"))
    node: Mapped[str] = mapped_column(String(64))
    design: Mapped[str] = mapped_column(String(64))
    """Hash of the node's part of the design."""
    boot: Mapped[str] = mapped_column(String(64))
    driver: Mapped[str] = mapped_column(String(64))


class OnboardRow(LedgerTable):
    """The result of one role on one node in one act of onboarding; an act without a change is a row as well, for its
    duration.
    """

    __tablename__ = "onboard_events"
    __table_args__ = (Index("ix_onboard_events_run", "run"), Index("ix_onboard_events_node", "node"))

    id: Mapped[int] = mapped_column(primary_key=True)
    run: Mapped[str] = mapped_column(ForeignKey("runs.id"))
    node: Mapped[str] = mapped_column(String(64))
    role: Mapped[str]
    act: Mapped[str]
    status: Mapped[str] = mapped_column(String(16))
    seconds: Mapped[float] = mapped_column(Float())
    changed: Mapped[list[str]]
    message: Mapped[str]
    recorded: Mapped[datetime]


class SightingRow(LedgerTable):
    """The parts that a node held in a run: one row, as a large site has a million parts."""

    __tablename__ = "sightings"
    __table_args__ = (Index("ix_sightings_run", "run"), Index("ix_sightings_node", "node"))

    id: Mapped[int] = mapped_column(primary_key=True)
    run: Mapped[str] = mapped_column(ForeignKey("runs.id"))
    node: Mapped[str] = mapped_column(String(64))
    at: Mapped[datetime]
    parts: Mapped[str | None] = mapped_column(Text())
    """As `model.repair.PackedParts`; NULL if the parts equal those of the node's last row that has them."""


class PartRow(LedgerTable):
    """One event of a part, by serial: failed, repaired, passed again. Before revision 0006 also sightings."""

    __tablename__ = "part_events"
    __table_args__ = (
        Index("ix_part_events_run", "run"),
        Index("ix_part_events_serial", "serial"),
        Index("ix_part_events_node", "node"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    run: Mapped[str] = mapped_column(ForeignKey("runs.id"))
    serial: Mapped[str] = mapped_column(String(128))
    kind: Mapped[str] = mapped_column(String(64))
    place: Mapped[str] = mapped_column(String(128))
    node: Mapped[str] = mapped_column(String(64))
    what: Mapped[str] = mapped_column(String(16))
    at: Mapped[datetime]
    check: Mapped[str] = mapped_column("check", String(128))
    action: Mapped[str] = mapped_column(String(16))
    by: Mapped[str] = mapped_column("by", Text())
    says: Mapped[str]


class LinkRow(LedgerTable):
    """One link of the hash chain: the hashes of the rows that one transaction wrote (`rackwright.ledger.chain`)."""

    __tablename__ = "links"

    id: Mapped[int] = mapped_column(primary_key=True)
    covers: Mapped[str]
    previous: Mapped[str] = mapped_column(String(64))
    hash: Mapped[str] = mapped_column(String(64))
