"""The part of the ledger that follows serial numbers: the places of each part, its failures and its repairs.

Events of a twin and of real machines never mix, even in one database.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, aliased

from rackwright.ledger.chain import LinkWriter
from rackwright.ledger.tables import PartRow, RunRow, SightingRow
from rackwright.model.repair import PackedParts, PartEvent, unpacked_parts

REHEARSAL = "rehearse"
"""Kind of the runs on machines of a twin."""
FIELDS = ("serial", "kind", "place", "node", "what", "check", "action", "by", "says")
Places = dict[str, tuple[str, str]]
"""Serial -> the node and the place where a part was last seen."""


class PartHistory(ABC):
    """The history of parts; mixed into `Ledger`, which provides sessions."""

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

    def sight_parts(self, run: str, parts: Mapping[str, PackedParts], at: str) -> None:
        """Record the parts that each node holds; parts that have not changed since the last time are not written again."""
        sightings = _of_site(select(SightingRow.node, SightingRow.parts), SightingRow, run)
        sighting = {"run": run, "at": _moment(at)}
        with self._writing() as (session, link):
            full_rows = session.execute(sightings.where(SightingRow.parts.is_not(None)))
            last = {row.node: row.parts for row in full_rows}
            rows = (
                {**sighting, "node": node, "parts": None if last.get(node) == packed else packed}
                for node, packed in parts.items()
                if packed
            )
            link.add(SightingRow, rows)

    def part_events(self, run: str, *, sightings: bool = False) -> list[PartEvent]:
        """The history of the parts of the site of `run`, oldest first; with `sightings` also events of parts seen in a
        new place.
        """
        query = _of_site(select(PartRow), PartRow, run)
        if not sightings:
            query = query.where(PartRow.what != "seen")
        with self._session() as session:
            events = [_event(row) for row in session.scalars(query)]
            if not sightings:
                return events
            places = {event.serial: (event.node, event.place) for event in events if event.what == "seen"}
            events += _moves(session.scalars(_of_site(select(SightingRow), SightingRow, run)), places)
        return sorted(events, key=lambda event: event.time)


def _of_site(query: Select[*tuple[Any, ...]], table: type[PartRow | SightingRow], run: str) -> Select[*tuple[Any, ...]]:
    """The rows of `query` that belong to the site of `run`, oldest first."""
    mine = aliased(RunRow)
    return (
        query.join(RunRow, table.run == RunRow.id)
        .join(mine, mine.id == run)
        .where(RunRow.site == mine.site, (RunRow.kind == REHEARSAL) == (mine.kind == REHEARSAL))
        .order_by(table.at, table.id)
    )


def _moves(sightings: Iterable[SightingRow], places: Places) -> Iterator[PartEvent]:
    """An event for each part that is not where it was last seen; `places` is updated."""
    packed: dict[str, PackedParts] = {}
    deserted: set[str] = set()
    """Nodes some of whose parts were seen elsewhere: they may have come back."""
    for row in sightings:
        if row.parts is None and row.node not in deserted:
            continue
        deserted.discard(row.node)
        packed[row.node] = packed[row.node] if row.parts is None else row.parts
        for part in unpacked_parts(row.node, packed[row.node]):
            before = places.get(part.serial, ("", ""))
            if before != (part.node, part.place):
                places[part.serial] = part.node, part.place
                deserted.add(before[0])
                yield PartEvent(**dict(part), what="seen", at=row.at.isoformat())


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _event(row: PartRow) -> PartEvent:
    fields = {name: getattr(row, name) for name in FIELDS}
    return PartEvent(**fields, at=row.at.isoformat())
