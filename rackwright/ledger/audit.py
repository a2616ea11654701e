"""Checks that the rows of the ledger are unchanged, and names rows that were changed, removed, added or reordered.

The chain has no key: whoever rewrites the whole ledger can make a valid chain. Heads that were sealed elsewhere, in the
chains of evidence and in signed bundles, reveal that, and a truncated end.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice

from sqlalchemy import Connection, Table, func, select

from rackwright.base.errors import Problem
from rackwright.ledger import chain
from rackwright.ledger.chain import LINKS, RUNS, Segment
from rackwright.model.ledger_head import LedgerHead

MOST = 20
"""Rows of one segment that are named individually."""
REMOVED = 2
"""Number of fields in an entry of a link about removed rows: table and run."""
LABELS = {
    "runs": "the run {id}",
    "steps": "the step {step} of {node}",
    "verdicts": "the verdict {check} on {node}",
    "passes": "the passes of {node}",
    "decisions": "the decision on {node}",
    "group_decisions": "the decision of the gate {gate} on {scope} {group}",
    "decided_states": "the state of {node} that was decided on",
    "onboard_events": "what the role {role} did on {node}",
    "sightings": "the parts of {node}",
    "part_events": "what happened to the part {serial} in {node} ({what})",
}
"""Table -> description of one of its rows."""


@dataclass(frozen=True)
class SealedHead:
    """A head of the ledger that is stored somewhere else."""

    place: str
    head: LedgerHead


@dataclass(frozen=True)
class Audit:
    """Result of an audit."""

    links: int
    rows: int
    head: LedgerHead | None
    problems: tuple[Problem, ...]


def audit(
    connection: Connection, place: str, sealed: Sequence[SealedHead] = (), tables: Sequence[Table] | None = None
) -> Audit:
    """Compare all rows, or those of `tables`, with the chain, and the chain with `sealed`; `place` names the ledger in
    problems.
    """
    hashes: dict[int, str] = {}
    segments: dict[tuple[str, str, int], Segment] = {}
    problems = [*_replayed(connection, hashes, segments), *_sealed_differences(hashes, sealed)]
    count = 0
    for table in chain.covered_tables() if tables is None else tables:
        problems += _of_table(connection, table, [part for part in segments.values() if part.table == table.name])
        count += connection.scalar(select(func.count()).select_from(table)) or 0
    end = chain.head(connection)
    changes = (
        Problem(place, path, message, "the ledger as it was written", "something else",
                "do not rely on it: find out who changed it, and go back to a copy", "ledger.changed")
        for path, message in problems
    )  # fmt: skip
    return Audit(len(hashes), count, end, tuple(sorted(changes)))


Difference = tuple[str, str]
"""Place and sentence."""


def _replayed(
    connection: Connection, hashes: dict[int, str], segments: dict[tuple[str, str, int], Segment]
) -> Iterator[Difference]:
    """Differences of the links; `hashes` gets the hash of each link, `segments` the segments that they cover together."""
    previous, number = "", 0
    for row in connection.execute(select(LINKS).order_by(LINKS.c.id)):
        if row.hash != chain.link_hash(row.id, row.previous, row.covers):
            yield f"links[{row.id}]", "the link was changed after it was written"
        elif row.id != number + 1 or row.previous != previous:
            yield f"links[{row.id}]", "the link does not follow the one before it: a link was removed, added or moved"
        previous, number = row.hash, row.id
        hashes[row.id] = row.hash
        try:
            _take(segments, json.loads(row.covers))
        except (ValueError, TypeError):
            yield f"links[{row.id}]", "the link cannot be read"


def _take(segments: dict[tuple[str, str, int], Segment], covers: Iterable[list[object]]) -> None:
    for cover in covers:
        if len(cover) == REMOVED:
            for key in [key for key in segments if key[:REMOVED] == tuple(cover)]:
                del segments[key]
        else:
            part = Segment(*cover)  # type: ignore[arg-type]
            segments[part.key] = part


def _sealed_differences(hashes: Mapping[int, str], sealed: Iterable[SealedHead]) -> Iterator[Difference]:
    for stated in sealed:
        link = stated.head.link
        if link not in hashes:
            last = max(hashes, default=0)
            yield (
                f"links[{link}]",
                f"{stated.place} was sealed with this link, and the ledger ends at link {last}: its end was cut off",
            )
        elif hashes[link] != stated.head.hash:
            yield (
                f"links[{link}]",
                f"it is not the link that {stated.place} was sealed with: the ledger was written anew",
            )


def _of_table(connection: Connection, table: Table, segments: Sequence[Segment]) -> Iterator[Difference]:
    owner = table.c.id if table is RUNS else table.c.run
    covered = {
        run: list(parts) for run, parts in groupby(sorted(segments, key=lambda part: part.key), lambda part: part.run)
    }
    for run in sorted({*covered, *connection.scalars(select(owner).distinct())}):
        try:
            yield from _of_run(connection, table, run, covered.get(run, []))
        except (ValueError, TypeError):  # a malformed time or list
            yield from islice(_unreadable_rows(connection, table, run), MOST)


def _unreadable_rows(connection: Connection, table: Table, run: str) -> Iterator[Difference]:
    """Differences for rows of a run that rackwright cannot have written."""
    ids = [0] if table is RUNS else connection.scalars(select(table.c.id).where(table.c.run == run)).all()
    for number in ids:
        try:
            list(chain.stored_rows(connection, table, run, number))
        except (ValueError, TypeError) as error:
            yield f"{table.name}[{number or run}]", f"a row of the run {run} cannot be read: {error}"


def _of_run(connection: Connection, table: Table, run: str, segments: Iterable[Segment]) -> Iterator[Difference]:
    rows = chain.stored_rows(connection, table, run)
    row = next(rows, None)
    strays: list[int] = []
    for part in segments:
        inside: list[tuple[int, bytes]] = []
        while row is not None and row[0] <= part.last:
            if row[0] < part.first:
                strays.append(row[0])
            else:
                inside.append(row)
            row = next(rows, None)
        if chain.rows_hash([content for _, content in inside]) != part.sha256:
            yield from islice(_differences(table, part, inside), MOST)
    strays += [row[0]] if row is not None else []
    strays += [number for number, _ in rows]
    for number in strays[:MOST]:
        yield f"{table.name}[{number or run}]", f"a row of the run {run} that rackwright did not write"


def _differences(table: Table, part: Segment, rows: Sequence[tuple[int, bytes]]) -> Iterator[Difference]:
    """Differences of the rows of a segment."""
    marks = chain.marks_of(part)
    ids = range(part.first, part.last + 1)
    present = dict(rows)
    if len(ids) == len(marks):
        missing = [number for number in ids if number not in present]
        expected = dict(zip(ids, marks, strict=True))
    else:  # rows of other runs between them
        missing = []
        expected = dict(zip(present, marks, strict=False))
    if not missing and sorted(chain.row_marks(present.values())) == sorted(marks):
        yield (
            _place(table, part, part.first),
            f"rows {part.first} to {part.last} of {_segment_name(part)} stand in another order",
        )
        return
    for number in missing:
        yield _place(table, part, number), f"a row of {_segment_name(part)} was removed"
    changed = [number for number, mark in expected.items() if number in present and chain.mark(present[number]) != mark]
    for number in changed:
        yield _place(table, part, number), f"{_label(table, present[number])} was changed after it was written"
    if not missing and not changed:
        yield _place(table, part, part.first), f"rows of {_segment_name(part)} were changed, removed or added"


def _place(table: Table, part: Segment, number: int) -> str:
    return f"{table.name}[{number or part.run}]"


def _segment_name(part: Segment) -> str:
    return f"the run {part.run}"


def _label(table: Table, content: bytes) -> str:
    values = dict(zip(chain.content_columns(table), json.loads(content), strict=True))
    values["node"] = values.get("node") or "the site"
    return f"{LABELS[table.name].format(**values)} (run {values.get('run', values.get('id'))})"
