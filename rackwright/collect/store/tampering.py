"""Problems of evidence that was changed after it was written. Raw outputs are not opened."""

from __future__ import annotations

from rackwright.base.errors import Problem
from rackwright.collect.store.hash_chain import Index
from rackwright.collect.store.recording import BEGIN, END, Store


def chain_problems(store: Store, run: str, index: Index) -> list[Problem]:
    """Problems of the entries of a run; raw outputs are not opened."""
    problems = [problem(store, run, line, sentence) for line, sentence in index.broken]
    if not index.entries or index.entries[0].get("kind") != BEGIN or index.entries[0].get("run") != run:
        problems.append(problem(store, run, 1, "the run does not begin with its own first entry"))
    ends = [line for line, entry in enumerate(index.entries, start=1) if entry.get("kind") == END]
    late = [line for line in ends if line != len(index.entries) or index.torn]
    return problems + [problem(store, run, line, "entries were added after the end of the run") for line in late]


def problem(store: Store, run: str, line: int, sentence: str) -> Problem:
    """The problem for a line that was changed after it was written."""
    return Problem(
        place=f"{store.path(run)}:{line}",
        path="",
        message=sentence,
        expected="evidence as it was written",
        found="something else",
        next_step="do not judge from it: find out who changed it, and collect again",
        code="evidence.changed",
    )
