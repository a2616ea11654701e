"""The part of the ledger that follows serials: where each part was seen, when it failed, what was done to it.

What happened on a twin and what
happened on real machines never mix, even in one database.
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
    """What the ledger knows of parts; mixed into `Ledger`, which gives it sessions."""

    @abstractmethod
    def _session(self) -> AbstractContextManager[Session]:
        """One transaction."""

    def record_parts(self, run: str, events: Iterable[PartEvent]) -> None:
        """Add to the history of parts; one commit for all."""
        rows = [{"run": run, "at": _moment(one.at), **{name: getattr(one, name) for name in FIELDS}} for one in events]
        if rows:
            with self._session() as session:
                session.execute(insert(PartRow), rows)

    def sight_parts(self, run: str, parts: Iterable[Part], at: str) -> None:
        """Write down where parts are; a part that is where it was last seen costs no row."""
        last = {
            one.serial: (one.node, one.place) for one in self.part_events(run, sightings=True) if one.what == "seen"
        }
        moved = [one for one in parts if last.get(one.serial) != (one.node, one.place)]
        self.record_parts(run, [PartEvent(**one.model_dump(), what="seen", at=at) for one in moved])

    def part_events(self, run: str, *, sightings: bool = False) -> list[PartEvent]:
        """The history of the parts of the site of `run`, oldest first; without sightings unless they are asked for."""
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
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _event(row: PartRow) -> PartEvent:
    said = {name: getattr(row, name) for name in FIELDS}
    return PartEvent(**said, at=row.at.isoformat())
