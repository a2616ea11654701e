"""The heads of the ledger that are stored elsewhere: in the first entry of each run of evidence, in the last judgement
and in signed bundles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic import ValidationError

from rackwright import attest, collect
from rackwright.base.errors import Problem, ProblemsError
from rackwright.collect.store.tampering import chain_problems, problem
from rackwright.ledger import SealedHead
from rackwright.model.ledger_head import LedgerHead


def of_evidence(store: collect.Store, runs: Iterable[str]) -> list[SealedHead]:
    """The heads with which `runs` began; runs without a ledger have none. Raises ProblemsError for a malformed one."""
    heads: list[SealedHead] = []
    for run in runs:
        stated = store.first(run).get("ledger")
        try:
            heads += [SealedHead(str(store.path(run)), LedgerHead.model_validate(stated))] if stated else []
        except ValidationError:
            raise ProblemsError([problem(store, run, 1, "it does not say with which ledger the run began")]) from None
    return heads


def changed_runs(store: collect.Store) -> Iterator[Problem]:
    """Problems in the chains of the runs of a store, and between them; raw outputs are not opened."""
    runs = store.runs()
    for run in runs:
        yield from chain_problems(store, run, store.index(run))
    yield from collect.unlinked(store, runs)


def of_bundles(folders: Iterable[Path]) -> list[SealedHead]:
    """The heads in the statements of bundles; older ones have none.

    Raises ProblemsError for statements that differ from the signed ones.
    """
    heads: list[SealedHead] = []
    problems: list[Problem] = []
    for folder in folders:
        try:
            head = attest.signed_facts(folder).ledger
        except ValueError as error:
            problems.append(
                Problem(str(folder), "", str(error), "a bundle as it was signed", "something else",
                        "do not rely on it: ask for the bundle again", "attest.changed")
            )  # fmt: skip
            continue
        heads += [SealedHead(str(folder), head)] if head else []
    if problems:
        raise ProblemsError(problems)
    return heads
