"""The part of the ledger that follows serial numbers: where each part was, when it failed, how it was repaired.

Events of a twin and of real machines never mix, even in one database.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, aliased

from rackwright.ledger.chain import LinkWriter
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

    @abstractmethod
    def _writing(self) -> AbstractContextManager[tuple[Session, LinkWriter]]:
        """One transaction that writes."""

    def record_parts(self, run: str, events: Iterable[PartEvent]) -> None:
        """Add to the history of parts; one commit for all."""
        rows = [
            {"run": run, "at": _moment(event.at), **{name: getattr(event, name) for name in FIELDS}} for event in events
        ]
        if rows:
            with self._writing() as (_, link):
                link.add(PartRow, rows)

    def sight_parts(self, run: str, parts: Iterable[Part], at: str) -> None:
        """Record where parts are; a part that has not moved since its last sighting costs no row."""
        sightings = _of_site(select(PartRow.serial, PartRow.node, PartRow.place), run).where(PartRow.what == "seen")
        sighting = {**dict.fromkeys(FIELDS, ""), "run": run, "what": "seen", "at": _moment(at)}
        with self._writing() as (session, link):
            last = {serial: (node, place) for serial, node, place in session.execute(sightings)}
            moved = (part for part in parts if last.get(part.serial) != (part.node, part.place))
            link.add(PartRow, ({**sighting, **dict(part)} for part in moved))

    def part_events(self, run: str, *, sightings: bool = False) -> list[PartEvent]:
        """The history of the parts of the site of `run`, oldest first; sightings are omitted unless requested."""
        query = _of_site(select(PartRow), run)
        if not sightings:
            query = query.where(PartRow.what != "seen")
        with self._session() as session:
            return [_event(row) for row in session.scalars(query)]


def _of_site(query: Select[*tuple[Any, ...]], run: str) -> Select[*tuple[Any, ...]]:
    """The events of `query` that are of the parts of the site of `run`, oldest first."""
    mine = aliased(RunRow)
    return (
        query.join(RunRow, PartRow.run == RunRow.id)
        .join(mine, mine.id == run)
        .where(RunRow.site == mine.site, (RunRow.kind == REHEARSAL) == (mine.kind == REHEARSAL))
        .order_by(PartRow.at, PartRow.id)
    )


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _event(row: PartRow) -> PartEvent:
    fields = {name: getattr(row, name) for name in FIELDS}
    return PartEvent(**fields, at=row.at.isoformat())
