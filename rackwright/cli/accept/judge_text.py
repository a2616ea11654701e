"""Text output of ``rackwright judge``: verdicts, changes, and the file of a baseline."""

from __future__ import annotations

import textwrap
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from rackwright.model.hostlist import fold_hosts
from rackwright.model.verdict import Outcome, Verdict

if TYPE_CHECKING:
    from rackwright.judge import Flip
    from rackwright.model.check import Limit

HEAD = """\
# What an accepted fleet measured: shown beside the limits (rackwright judge --baseline FILE), and decides nothing.
# `rackwright judge SITE --limits FILE` says which verdicts would flip if it did.
"""


CALIBRATED_HEAD = """\
# Limits that the nodes of this site made where nobody has published any (rackwright judge --calibrate SERVER). They count while they lie in
# validators/limits of the site folder, as long as acceptance.calibrations of site.yaml stands for them, and never in the place of a published one.
"""
FindingLine = tuple[Outcome, str, str, str]
"""Outcome, check, node, sentence."""
ORDER = (Outcome.NOT_RUN, Outcome.DEGRADED, Outcome.INCONCLUSIVE, Outcome.FAIL)
"""The most important outcome is printed last, where the terminal stops."""
MANY = 3
"""So many checks with one reason share a line: a BMC that cannot be reached leaves twenty without a reading."""
INDENT = " " * 14


def summary(verdicts: Sequence[Verdict], plant: Collection[str] = ()) -> Iterable[str]:
    """Everything but passes, then the counts; `plant` names the judged units that are not nodes."""
    counts = Counter(verdict.outcome for verdict in verdicts)
    bad = [verdict for verdict in verdicts if verdict.outcome != Outcome.PASS]
    targets = {verdict.target for verdict in verdicts}
    lines = ((verdict.outcome, verdict.check, verdict.target, verdict.says) for verdict in bad)
    return counted(lines, counts, len(targets.difference(plant)), len(targets.intersection(plant)))


def counted(bad: Iterable[FindingLine], counts: Counter[Outcome], nodes: int, units: int = 0) -> Iterable[str]:
    """The findings in `bad`, then the counts of all verdicts, on `nodes` and on `units` of the plant.

    Equal findings on many nodes share one line with a Slurm host list, and so do many checks with the same reason.
    """
    nodes_by_line: dict[tuple[Outcome, str, str, bool], list[str]] = defaultdict(list)
    for outcome, check, node, says in bad:
        subject, _, text = says.partition(": ")
        of_node = subject == node
        nodes_by_line[outcome, check, text if of_node else says, of_node].append(node)
    checks_by_text: dict[tuple[Outcome, str], list[str]] = defaultdict(list)
    for (outcome, check, words, of_node), names in nodes_by_line.items():
        checks_by_text[outcome, f"{fold_hosts(names)}: {words}" if of_node else words].append(check)
    for outcome, text in sorted(checks_by_text, key=lambda line: ORDER.index(line[0])):
        yield from _finding(outcome, checks_by_text[outcome, text], text)
    totals = ", ".join(f"{counts[outcome]} {outcome.value}" for outcome in Outcome if counts[outcome])
    around = f" and {units} PDUs and CDUs" if units else ""
    yield f"{counts.total()} verdicts on {nodes} nodes{around}: {totals or 'nothing was judged'}"
    if len(counts) > 1 or Outcome.PASS not in counts:
        yield "What a check means and what to do: `rackwright explain CHECK`"


def _finding(outcome: Outcome, checks: Sequence[str], text: str) -> Iterable[str]:
    if len(checks) < MANY:
        yield from (f"{outcome.value.upper():<13} {check:<26} {text}" for check in checks)
        return
    yield f"{outcome.value.upper():<13} {f'{len(checks)} checks':<26} {text}"
    yield textwrap.fill(", ".join(checks), 120, initial_indent=INDENT, subsequent_indent=INDENT)


def flips(flipped: Sequence[Flip], verdicts: int) -> Iterable[str]:
    """Every verdict that changes, with both limits, then the count."""
    for flip in flipped:
        yield f"{flip.old.value} -> {flip.new.value:<13} {flip.check:<26} {flip.node}: {flip.observed}"
        yield f"    was: {flip.old_expected}"
        yield f"    now: {flip.new_expected}"
    worse = sum(flip.worse for flip in flipped)
    yield f"{len(flipped)} of {verdicts} verdicts flip, {worse} get worse"


def calibrated(rows: Sequence[Limit]) -> str:
    """Rows that a site calibrated, as a limits file."""
    return CALIBRATED_HEAD + _limits(rows)


def _limits(rows: Sequence[Limit]) -> str:
    from rackwright.judge import limits_text  # takes time to load, which a wrong call need not wait for

    return limits_text(rows)


def baseline(rows: Sequence[Limit]) -> str:
    """The rows as a limits file."""
    return HEAD + _limits(rows)
