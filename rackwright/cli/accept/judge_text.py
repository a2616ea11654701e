"""What ``rackwright judge`` prints for people: verdicts, flips, and the file of a baseline."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

import yaml

from rackwright.cli.accept.hostlist import hostlist
from rackwright.model.verdict import Outcome, Verdict

if TYPE_CHECKING:
    from rackwright.judge import Flip
    from rackwright.model.check import Limit

HEAD = """\
# What an accepted fleet measured: shown beside the limits (rackwright judge --baseline FILE), and decides nothing.
# `rackwright judge SITE --limits FILE` says which verdicts would flip if it did.
"""


Told = tuple[Outcome, str, str, str]
"""Outcome, check, node, sentence."""
ORDER = (Outcome.NOT_RUN, Outcome.DEGRADED, Outcome.INCONCLUSIVE, Outcome.FAIL)
"""What matters most is told last, where a terminal stops."""


def summary(found: Sequence[Verdict], plant: Collection[str] = ()) -> Iterable[str]:
    """Everything that is not a pass, then the counts; `plant` names what is judged and is no node."""
    counts = Counter(verdict.outcome for verdict in found)
    bad = [verdict for verdict in found if verdict.outcome != Outcome.PASS]
    targets = {verdict.target for verdict in found}
    told = ((verdict.outcome, verdict.check, verdict.target, verdict.says) for verdict in bad)
    return counted(told, counts, len(targets.difference(plant)), len(targets.intersection(plant)))


def counted(bad: Iterable[Told], counts: Counter[Outcome], nodes: int, units: int = 0) -> Iterable[str]:
    """`bad`, which are no pass, then the counts of all, on `nodes` and on `units` of the plant.

    What a check says of many nodes in the same words is one line, with a list of them as Slurm reads it.
    """
    alike: dict[tuple[Outcome, str, str, bool], list[str]] = defaultdict(list)
    for outcome, check, node, says in bad:
        subject, _, rest = says.partition(": ")
        own = subject == node
        alike[outcome, check, rest if own else says, own].append(node)
    for outcome, check, words, own in sorted(alike, key=lambda one: ORDER.index(one[0])):
        who = f"{hostlist(alike[outcome, check, words, own])}: " if own else ""
        yield f"{outcome.value.upper():<13} {check:<26} {who}{words}"
    told = ", ".join(f"{counts[outcome]} {outcome.value}" for outcome in Outcome if counts[outcome])
    around = f" and {units} PDUs and CDUs" if units else ""
    yield f"{counts.total()} verdicts on {nodes} nodes{around}: {told or 'nothing was judged'}"
    if len(counts) > 1 or Outcome.PASS not in counts:
        yield "What a check means and what to do: `rackwright explain CHECK`"


def flips(flipped: Sequence[Flip], verdicts: int) -> Iterable[str]:
    """Every verdict that flips, with both limits, then the count."""
    for one in flipped:
        yield f"{one.old.value} -> {one.new.value:<13} {one.check:<26} {one.node}: {one.observed}"
        yield f"    was: {one.old_expected}"
        yield f"    now: {one.new_expected}"
    worse = sum(one.worse for one in flipped)
    yield f"{len(flipped)} of {verdicts} verdicts flip, {worse} get worse"


def baseline(rows: Sequence[Limit]) -> str:
    """The rows as a file of limits."""
    said = {"limits": [row.model_dump(exclude_none=True) for row in rows]}
    return HEAD + yaml.safe_dump(said, sort_keys=False, allow_unicode=True, width=120)
