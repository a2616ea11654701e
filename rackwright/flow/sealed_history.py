"""Conclusions of people and searches that are sealed in the evidence: results of isolation and repairs.

Decisions, signatures and verifications read them from there. The ledger also has repairs, among the other events of
parts: a sealed repair that the ledger lacks is added to it, and one that only the ledger has was not recorded by
rackwright.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from rackwright import attest, collect
from rackwright.base.errors import Problem, ProblemsError
from rackwright.collect.store.closing_entries import ISOLATION, REPAIR, closing_entries
from rackwright.ledger import Ledger
from rackwright.model.isolation import Isolated
from rackwright.model.repair import PartEvent

FOLDER = "isolation"
"""Folder where earlier versions stored results of isolation, unsealed."""
REPAIRED = "repaired"


@dataclass(frozen=True)
class SealedHistory:
    """The conclusions in some runs of evidence, oldest first."""

    isolations: Sequence[Isolated] = ()
    repairs: Sequence[PartEvent] = ()

    def hashes(self) -> dict[str, str]:
        """Hashes by their name in the basis of a judgement."""
        return {"isolation_sha256": _sha256(self.isolations), "repairs_sha256": _sha256(self.repairs)}


def read_history(store: collect.Store, runs: Iterable[str], workspace: Path | None = None) -> SealedHistory:
    """The conclusions in `runs`.

    Raises ProblemsError for changed or malformed entries, and for loose results in `workspace`.
    """
    names = list(runs)
    problems = list(_unsealed_files(workspace / FOLDER)) if workspace else []
    isolations: list[Isolated] = []
    repairs: list[PartEvent] = []
    for place, entry in closing_entries(store, ISOLATION, names):
        try:
            isolations.append(Isolated.model_validate(entry.get("result")))
        except ValidationError as error:
            problems.append(_unreadable_problem(place, "the result of an isolation", error))
    for place, entry in closing_entries(store, REPAIR, names):
        try:
            repairs.append(PartEvent.model_validate(entry.get("event")))
        except ValidationError as error:
            problems.append(_unreadable_problem(place, "a repair", error))
    if problems:
        raise ProblemsError(problems)
    return SealedHistory(isolations, repairs)


def part_events(ledger: Ledger, run: str, sealed: SealedHistory, *, sightings: bool = False) -> list[PartEvent]:
    """The history of the parts of the site of `run`. Repairs that a killed command sealed but did not record are
    recorded now.

    Raises ProblemsError for repairs that no evidence holds.
    """
    events = ledger.part_events(run, sightings=sightings)
    recorded = {event_key(event) for event in events}
    if unrecorded := [event for event in sealed.repairs if event_key(event) not in recorded]:
        ledger.record_parts(run, unrecorded)
        events = ledger.part_events(run, sightings=sightings)
    if problems := list(_unsealed_events(events, sealed)):
        raise ProblemsError(problems)
    return events


def _unsealed_events(events: Iterable[PartEvent], sealed: SealedHistory) -> Iterator[Problem]:
    keys = {event_key(event) for event in sealed.repairs}
    for event in events:
        if event.what == REPAIRED and event_key(event) not in keys:
            yield Problem(
                "the ledger", "", f"the {event.action} of {event.place or event.node} (serial {event.serial}) on {event.at} by "
                f"{event.by or 'nobody'} stands in no evidence", "repairs as `rackwright repair` seals them", "a loose one",
                "find out who added it; `rackwright repair` records what was really done", "repair.invented",
            )  # fmt: skip


def event_key(event: PartEvent) -> tuple[object, ...]:
    """Key that is equal for equal events: the ledger and the gate write the same time in two ways."""
    return event.time, event.model_dump_json(exclude={"at"})


def _unsealed_files(folder: Path) -> Iterator[Problem]:
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        yield Problem(
            str(path), "", "a result of isolation that no evidence holds", "results as `rackwright isolate --run` seals them",
            "a loose file", "isolate again, and move the file away", "isolation.loose",
        )  # fmt: skip


def _unreadable_problem(place: str, subject: str, error: ValidationError) -> Problem:
    detail = error.errors(include_url=False)[0]
    reason = f"{'.'.join(map(str, detail['loc']))}: {detail['msg']}"
    return Problem(place, "", f"{subject} cannot be read", "an entry as rackwright seals it", reason,
                   "find out who wrote it", "evidence.malformed")  # fmt: skip


def _sha256(records: Sequence[Any]) -> str:
    return attest.digest(attest.canonical_json([record.model_dump(mode="json") for record in records]))
