"""The part of the ledger that returns how steps ended."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager

from sqlalchemy import select
from sqlalchemy.orm import Session

from rackwright.ledger import reading
from rackwright.ledger.tables import RunRow, StepRow
from rackwright.model.handover import StepResult


class StepHistory(ABC):
    """The history of steps; mixed into `Ledger`, which provides sessions."""

    @abstractmethod
    def _session(self) -> AbstractContextManager[Session]:
        """One transaction."""

    def is_done(self, run: str, step: str, node: str | None = None) -> bool:
        """Whether the last attempt at the step ended well (done or skipped)."""
        query = select(StepRow.state).where(StepRow.run == run, StepRow.step == step)
        query = query.where(StepRow.node.is_(None) if node is None else StepRow.node == node)
        with self._session() as session:
            state = session.scalars(query.order_by(StepRow.id.desc()).limit(1)).first()
        return state in {"done", "skipped"}

    def steps(self, run: str) -> tuple[StepResult, ...]:
        """The last attempt at every step of the whole site, in the order of first attempts, as the report shows them."""
        query = select(StepRow).where(StepRow.run == run, StepRow.node.is_(None)).order_by(StepRow.id)
        with self._session() as session:
            last = {row.step: reading.step(row) for row in session.scalars(query)}
        return tuple(last.values())

    def failed_nodes(self, run: str) -> dict[str, str]:
        """Node -> "step: reason" of the first step of `run` whose last attempt failed on it."""
        query = select(StepRow).where(StepRow.run == run, StepRow.node.is_not(None)).order_by(StepRow.id)
        with self._session() as session:
            last = {(row.step, row.node): row for row in session.scalars(query)}
        failed: dict[str, str] = {}
        for row in last.values():
            if row.state == "failed" and row.node:
                failed.setdefault(row.node, f"{row.step}: {row.detail}")
        return failed

    def last_steps(self, site: str, without: str = "rehearse") -> tuple[StepResult, ...]:
        """The last attempt at every step in any run of the site, by time; runs of kind `without` are omitted."""
        query = (
            select(StepRow).join(RunRow, StepRow.run == RunRow.id).where(RunRow.site == site, RunRow.kind != without)
        )
        with self._session() as session:
            last = {row.step: row for row in session.scalars(query.where(StepRow.node.is_(None)).order_by(StepRow.id))}
            return tuple(reading.step(row) for row in sorted(last.values(), key=lambda row: row.id))
