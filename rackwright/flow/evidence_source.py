"""The stored evidence of a judgement, and whether it is still unchanged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rackwright import collect
from rackwright.base.errors import Problem, UsageError
from rackwright.collect.store.verify import unlinked, verify_run


@dataclass(frozen=True)
class EvidenceSource:
    """The stored evidence that was judged."""

    run: str
    """The judged run; empty for the newest readings of all `heads`."""
    as_of: str
    """ISO time from which the age of readings counted; empty if it did not count."""
    heads: Mapping[str, str]
    """Run -> last hash of its chain, for every run that was read."""
    store: collect.Store


def all_runs(store: collect.Store) -> EvidenceSource:
    """The newest readings of all runs, however old."""
    return EvidenceSource("", "", {run: store.head(run) for run in store.runs()}, store)


def twins(store: collect.Store, runs: Iterable[str]) -> list[str]:
    """Names of the twins whose machines the evidence of `runs` comes from."""
    return sorted({name for run in runs if (name := store.twin(run))})


def refuse_twins(store: collect.Store, runs: Iterable[str]) -> None:
    """UsageError if evidence of `runs` comes from a twin: it decides nothing about real machines."""
    if names := twins(store, runs):
        raise UsageError(
            f"{store.folder} holds evidence of the twin {', '.join(names)}, which says nothing of real machines: "
            "name the evidence of the site with --evidence, or only look with --dry-run"
        )


def evidence_problems(store: collect.Store, heads: Mapping[str, str]) -> Iterator[Problem]:
    """Problems of runs in `heads` that are missing or changed, that end differently than when they were judged, and of
    gaps between them.
    """
    stored = set(store.runs())
    for run, head in heads.items():
        if run not in stored:
            yield stale(str(store.path(run)), "this run of the evidence is missing", "name its store with --evidence")
            continue
        problems = verify_run(store, run)
        yield from problems
        if not problems and store.head(run) != head:
            yield stale(
                str(store.path(run)),
                "the evidence is not the one that was judged",
                "run `rackwright gate` again, or name its store with --evidence",
            )
    if stored.issuperset(heads):
        yield from unlinked(store, sorted(heads))


def stale(place: str, message: str, step: str) -> Problem:
    """The problem for something that changed after it was judged."""
    return Problem(place, "", message, "what was judged", "something else", step, "attest.stale")
