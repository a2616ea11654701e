"""Compares text readings of equal nodes: the node that differs from most of its peers is named.

For readings without a documented value that must be the same everywhere: firmware, kernel, microcode. Two nodes that
differ do not show which of them is wrong, so the comparison needs several nodes and a majority.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from rackwright.compare.equal_nodes import judge_alike
from rackwright.compare.limits import kind, limit, limit_source, no_limit, number
from rackwright.compare.majority import majority
from rackwright.compare.readings import equal, finding
from rackwright.model.check import Expectation
from rackwright.model.verdict import Finding, Outcome


def compare_words(
    readings: Sequence[tuple[Expectation, str | None]],
    *,
    metric: str,
    what: str,
    pinned: Callable[[Expectation], tuple[str, str]] = lambda _: ("", ""),
) -> dict[str, Finding]:
    """A finding for every node, by name: its reading must equal that of most nodes of the same server SKU.

    `metric` is the limit for the least number of nodes to compare; `pinned` returns a declared value with its source,
    which replaces the majority if it is not empty. A reading of None gives inconclusive, too few peers give not_run.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for expectation, word in readings:
        if word is not None:
            counts[expectation.node.server.sku][word] += 1
    keys = [(kind(expectation), pinned(expectation), word) for expectation, word in readings]
    return judge_alike(
        readings,
        keys,
        lambda peer, word: _finding_of_node(peer, word, counts[peer.node.server.sku], metric, what, pinned(peer)),
    )


def _finding_of_node(
    expectation: Expectation,
    value: str | None,
    counted: Counter[str],
    metric: str,
    what: str,
    pinned: tuple[str, str],
) -> Finding:
    if pinned[0]:
        return equal(expectation, value, pinned[0], what=what, source=pinned[1])
    row = limit(expectation, metric)
    if row is None:
        return no_limit(expectation, metric)
    total = sum(counted.values())
    source = f"most of {total} nodes of {expectation.node.server.sku}; {limit_source(row)}"
    expected = f"at least {number(row):g} nodes to compare"
    if value is None:
        return finding(
            expectation, Outcome.INCONCLUSIVE, what=what, observed="no reading", expected=expected, source=source
        )
    if total < number(row):
        observed = f"{value} on {total} nodes of {expectation.node.server.sku}"
        return finding(expectation, Outcome.NOT_RUN, what=what, observed=observed, expected=expected, source=source)
    common = majority(counted)
    if common is None:
        spread = ", ".join(f"{reading} on {count}" for reading, count in counted.most_common())
        return finding(
            expectation,
            Outcome.INCONCLUSIVE,
            what=what,
            observed=spread,
            expected="a value that most have",
            source=source,
        )
    outcome = Outcome.PASS if value == common else Outcome.FAIL
    observed = f"{value} (so have {counted[value]} of {total})"
    return finding(expectation, outcome, what=what, observed=observed, expected=common, source=source)
