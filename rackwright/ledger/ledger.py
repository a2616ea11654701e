"""`Ledger`: writes the events of a run as they happen, and returns the history.

Every call is one transaction, so that a kill at any moment leaves only complete facts; a step killed in the middle
stays `started`, which is not done.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Engine, Table, select, update
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.orm import Session

from rackwright.base.errors import OutsideError, ProblemsError
from rackwright.ledger import audit, chain, reading
from rackwright.ledger.audit import Audit, SealedHead
from rackwright.ledger.chain import LinkWriter
from rackwright.ledger.database import READS, open_engine, without_password
from rackwright.ledger.decision_history import DecisionHistory
from rackwright.ledger.part_history import PartHistory
from rackwright.ledger.records import Event, RoleEvent, Run
from rackwright.ledger.step_history import StepHistory
from rackwright.ledger.tables import DecisionRow, OnboardRow, PartRow, PassRow, RunRow, StepRow, VerdictRow
from rackwright.model.ledger_head import LedgerHead
from rackwright.model.node_verdicts import Verdicts, by_target

Clock = Callable[[], datetime]


def utc_clock() -> datetime:
    """The time by the clock of this machine; tests and replays pass another clock."""
    return datetime.now(UTC)


@dataclass
class StepNote:
    """Result that the body of a step may set: `detail` for the record, and its `state`.

    The state is ``skipped`` if nothing had to be done, ``failed`` if some nodes failed the step and the run went on.
    """

    detail: str = ""
    state: str = "done"

    def skip(self, reason: str) -> None:
        """Record the step as skipped, with the reason; a skipped step counts as done when a run is resumed."""
        self.state, self.detail = "skipped", reason


class Ledger(PartHistory, StepHistory, DecisionHistory):
    """The ledger at `url`; its schema is brought up to date on opening. `clock` returns the times to write."""

    def __init__(self, url: str, clock: Clock = utc_clock) -> None:
        self._engine = open_engine(url)
        self._clock = clock

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()

    def begin(
        self, site: str, kind: str, options: Mapping[str, Any], now: datetime | None = None, site_sha256: str = ""
    ) -> str:
        """Open a run and return its id, which sorts by time (``20261121T081500Z-3f2a9c``). `now` overrides the clock once."""
        started = now or self._clock()
        run = f"{started.astimezone(UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}"
        row = {
            "id": run,
            "site": site,
            "kind": kind,
            "options": dict(options),
            "site_sha256": site_sha256,
            "started": started,
        }
        with self._writing() as (_, link):
            link.add_run(row)
        return run

    def unfinished(self, site: str, kind: str) -> Run | None:
        """The newest run of that kind if it has no outcome yet; an older run is never resumed past a newer one."""
        runs = self.runs(site, kind)
        return runs[0] if runs and runs[0].outcome is None else None

    def runs(self, site: str, kind: str) -> list[Run]:
        """All runs of a site, newest first."""
        query = select(RunRow).where(RunRow.site == site, RunRow.kind == kind)
        with self._session() as session:
            rows = session.scalars(query.order_by(RunRow.started.desc(), RunRow.id.desc())).all()
            return [reading.run(row) for row in rows]

    def finish(self, run: str, outcome: str) -> None:
        """Close the run. KeyError if there is no such run."""
        with self._writing() as (session, link):
            session.execute(update(RunRow).where(RunRow.id == run).values(outcome=outcome, ended=self._clock()))
            link.rewritten(chain.RUNS, run)

    @contextmanager
    def step(self, run: str, name: str, node: str | None = None) -> Iterator[StepNote]:
        """Record that a step started, and how it ended: done, skipped, or failed with the sentence of the exception."""
        row = {
            "run": run,
            "step": name,
            "node": node,
            "state": "started",
            "started": self._clock(),
            "ended": None,
            "detail": "",
        }
        with self._writing() as (_, link):
            attempt = link.add(StepRow, [row])
        note = StepNote()
        try:
            yield note
        except BaseException as error:
            self._end(run, attempt, "failed", _sentence(error))
            raise
        self._end(run, attempt, note.state, note.detail)

    def record_nodes(self, run: str, name: str, outcomes: Mapping[str, tuple[str, str]]) -> None:
        """Store how a step of the whole site ended for each node: (error, detail); an empty error is success."""
        moment = self._clock()
        rows = [
            {"run": run, "step": name, "node": node, "state": "failed" if error else "done", "started": moment,
             "ended": moment, "detail": error or detail}
            for node, (error, detail) in outcomes.items()
        ]  # fmt: skip
        with self._writing() as (_, link):
            link.add(StepRow, rows)

    def record_verdicts(self, run: str, verdicts: Verdicts) -> None:
        """Store the verdicts of a run, only the names of passes, replacing those of an earlier judgement of the same
        run.
        """
        moment, judged = self._clock(), by_target(verdicts)
        rows = (
            {"run": run, "node": v.target, "check": v.check, "outcome": v.outcome.value, "says": v.says,
             "evidence": v.evidence, "recorded": moment}
            for of_target in judged.values() for v in of_target.others
        )  # fmt: skip
        passes = (
            {"run": run, "node": target, "checks": of_target.passed, "recorded": moment}
            for target, of_target in judged.items()
            if of_target.passed
        )
        with self._writing() as (_, link):
            for table, content in ((VerdictRow, rows), (PassRow, passes)):
                link.clear(table, run)
                link.add(table, content)

    def record_roles(self, run: str, events: Iterable[RoleEvent]) -> None:
        """Add events of roles in `run`, with one statement and one commit; their `recorded` times are kept."""
        rows = [
            {"run": run, "node": e.node, "role": e.role, "act": e.act, "status": e.status, "seconds": e.seconds,
             "changed": list(e.changed), "message": e.message, "recorded": e.recorded}
            for e in events
        ]  # fmt: skip
        with self._writing() as (_, link):
            link.add(OnboardRow, rows)

    def roles(self, run: str) -> list[RoleEvent]:
        """The events of roles in `run`, in the order of recording."""
        query = select(OnboardRow).where(OnboardRow.run == run).order_by(OnboardRow.id)
        with self._session() as session:
            return [reading.role(row) for row in session.scalars(query)]

    def history(self, node: str) -> list[Event]:
        """All events of `node` in any run, oldest first."""
        with self._session() as session:
            events: list[Event] = []
            for table in (StepRow, OnboardRow, VerdictRow, PassRow, DecisionRow, PartRow):
                rows = session.scalars(select(table).where(table.node == node))
                events += (event for row in rows for event in reading.events(row))
        return sorted(events, key=lambda event: event.when)

    def head(self) -> LedgerHead | None:
        """The head of the hash chain; None if nothing was written."""
        with self._reading() as session:
            return chain.head(session.connection())

    def audit(self, sealed: Sequence[SealedHead] = (), tables: Sequence[Table] | None = None) -> Audit:
        """Check that all rows are unchanged, and that the ledger continues from every head that was `sealed` elsewhere.

        With `tables` only their rows are read.
        """
        place = without_password(self._engine.url)
        try:
            with self._engine.connect().execution_options(**{READS: True}) as connection:
                return audit.audit(connection, place, sealed, tables)
        except DBAPIError as error:
            raise OutsideError(f"the ledger {place} cannot be read: {error.orig}; go back to a copy") from error

    def _end(self, run: str, attempt: int, state: str, detail: str) -> None:
        with self._writing() as (session, link):
            ended = update(StepRow).where(StepRow.id == attempt)
            session.execute(ended.values(state=state, detail=detail, ended=self._clock()))
            link.rewritten(chain.STEPS, run, attempt)

    @contextmanager
    def _writing(self) -> Iterator[tuple[Session, LinkWriter]]:
        """One transaction that writes; a link of the chain covers its rows."""
        with self._session() as session:
            link = LinkWriter(session)
            yield session, link
            link.close()

    def _now(self) -> datetime:
        return self._clock()

    def _reading(self) -> AbstractContextManager[Session]:
        """One transaction that does not block writers."""
        return self._session(self._engine.execution_options(**{READS: True}))

    @contextmanager
    def _session(self, engine: Engine | None = None) -> Iterator[Session]:
        try:
            with Session(engine or self._engine, expire_on_commit=False) as session, session.begin():
                yield session
        except OperationalError as error:
            place, reason = without_password(self._engine.url), str(error.orig).strip().split("\n", 1)[0]
            raise OutsideError(
                f"the ledger {place} cannot be used: {reason}; look at its disk or server, then run again"
            ) from error
        except (ValueError, TypeError, LookupError, AttributeError):
            if problems := self.audit().problems:  # rows that were changed
                raise ProblemsError(problems) from None
            raise


def _sentence(error: BaseException) -> str:
    if isinstance(error, KeyboardInterrupt):
        return "interrupted"
    return str(error).strip().split("\n", 1)[0] or type(error).__name__
