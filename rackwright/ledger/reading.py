"""Converts rows to records."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.ledger.records import Event, RoleEvent, Run
from rackwright.ledger.tables import DecisionRow, LedgerTable, OnboardRow, PartRow, PassRow, RunRow, StepRow, VerdictRow
from rackwright.model.handover import StepResult


def run(row: RunRow) -> Run:
    """The record of a run."""
    return Run(row.id, row.site, row.kind, dict(row.options), row.site_sha256, row.started, row.ended, row.outcome)


def step(row: StepRow) -> StepResult:
    """The record of one attempt at a step, as the report shows it."""
    seconds = (row.ended - row.started).total_seconds() if row.ended else 0.0
    return StepResult(row.step, row.state, seconds, row.detail)


def role(row: OnboardRow) -> RoleEvent:
    """The event of a role on a node."""
    return RoleEvent(
        row.node, row.role, row.act, row.status, row.seconds, tuple(row.changed), row.message, row.recorded
    )


def events(row: LedgerTable) -> Iterator[Event]:
    """The events of a row in the history of its node; a role that changed nothing and did not fail has none."""
    if isinstance(row, StepRow):
        yield Event(row.started, row.run, "step", row.step, row.state, row.detail)
    elif isinstance(row, VerdictRow):
        yield Event(row.recorded, row.run, "verdict", row.check, row.outcome, row.says)
    elif isinstance(row, PassRow):
        yield from (Event(row.recorded, row.run, "verdict", check, "pass", "") for check in row.checks)
    elif isinstance(row, DecisionRow):
        yield Event(row.recorded, row.run, "decision", "gate", "accepted" if row.accepted else "refused", row.reason)
    elif isinstance(row, PartRow) and row.what != "seen":
        subject = f"{row.place or row.kind} {row.serial}"
        yield Event(
            row.at,
            row.run,
            "part",
            subject,
            row.action or row.what,
            f"{row.check}: {row.says}" if row.check else row.says,
        )
    elif isinstance(row, OnboardRow) and row.status != "ok":
        yield Event(row.recorded, row.run, "role", row.role, row.status, f"{row.act}: {row.message}")
    elif isinstance(row, OnboardRow) and row.changed:
        yield Event(row.recorded, row.run, "role", row.role, "changed", ", ".join(row.changed))
