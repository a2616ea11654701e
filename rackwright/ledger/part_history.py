"""The part of the ledger that follows serial numbers: where each part was, when it failed, how it was repaired.

Events of a twin and of real machines never mix, even in one database.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import AbstractContextManager
from datetime import UTC, datetime

from sqlalchemy import insert, select
from sqlalchemy.orm import Session, aliased

from rackwright.ledger.tables import PartRow, RunRow
from rackwright.model.repair import Part, PartEvent

REHEARSAL = "rehearse"
"""Kind of the runs whose machines are a twin's."""
FIELDS = ("serial", "kind", "place", "node", "what", "check", "action", "by", "says")


class PartHistory(ABC):
    """The history of parts; mixed into `Ledger`, which gives it sessions."""

    @abstractmethod
    def _session(self) -> AbstractContextManager[Session]:
        """One transaction."""

    def record_parts(self, run: str, events: Iterable[PartEvent]) -> None:
        """Add to the history of parts; one commit for all."""
        rows = [
            {"run": run, "at": _moment(event.at), **{name: getattr(event, name) for name in FIELDS}} for event in events
        ]
        if rows:
            with self._session() as session:
                session.execute(insert(PartRow), rows)

    def sight_parts(self, run: str, parts: Iterable[Part], at: str) -> None:
        """Record where parts are; a part that has not moved since its last sighting costs no row."""
        last = {
            event.serial: (event.node, event.place)
            for event in self.part_events(run, sightings=True)
            if event.what == "seen"
        }
        moved = [event for event in parts if last.get(event.serial) != (event.node, event.place)]
        self.record_parts(run, [PartEvent(**event.model_dump(), what="seen", at=at) for event in moved])

    def part_events(self, run: str, *, sightings: bool = False) -> list[PartEvent]:
        """The history of the parts of the site of `run`, oldest first; sightings are omitted unless requested."""
        mine = aliased(RunRow)
        query = (
            select(PartRow)
            .join(RunRow, PartRow.run == RunRow.id)
            .join(mine, mine.id == run)
            .where(RunRow.site == mine.site, (RunRow.kind == REHEARSAL) == (mine.kind == REHEARSAL))
        )
        if not sightings:
            query = query.where(PartRow.what != "seen")
        with self._session() as session:
            return [_event(row) for row in session.scalars(query.order_by(PartRow.at, PartRow.id))]


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _event(row: PartRow) -> PartEvent:
    fields = {name: getattr(row, name) for name in FIELDS}
    return PartEvent(**fields, at=row.at.isoformat())
