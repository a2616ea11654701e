"""Verdicts node by node, without the sentences of passes: a large site has millions of passes and few other verdicts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rackwright.model.verdict import Outcome, Verdict


class NodeVerdicts(NamedTuple):
    """The verdicts on one node, or on one unit of the plant."""

    passed: tuple[str, ...] = ()
    """Ids of the checks that passed; equal nodes share them."""
    others: Sequence[Verdict] = ()
    """The verdicts other than pass."""

    @property
    def outcomes(self) -> dict[str, Outcome]:
        """Check id -> outcome, sorted by id."""
        outcomes = dict.fromkeys(self.passed, Outcome.PASS) | {
            verdict.check: verdict.outcome for verdict in self.others
        }
        return dict(sorted(outcomes.items()))


NO_VERDICT = NodeVerdicts()
Verdicts = Iterable[Verdict] | Mapping[str, NodeVerdicts]
"""All verdicts of a run, one by one or already by target."""


def by_target(verdicts: Verdicts) -> Mapping[str, NodeVerdicts]:
    """Node, rack or unit of the plant -> its verdicts, in the order of the first verdict of each."""
    if isinstance(verdicts, Mapping):
        return verdicts
    passed: dict[str, list[str]] = {}
    others: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        of_target = passed.setdefault(verdict.target, [])
        if verdict.outcome is Outcome.PASS:
            of_target.append(verdict.check)
        else:
            others[verdict.target].append(verdict)
    return {target: NodeVerdicts(tuple(names), others.get(target, [])) for target, names in passed.items()}
