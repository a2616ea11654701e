"""What is said of a node whose readings were taken together with others.

`blame` decides who explains a slow trial; here stand the sentences. A node that was in no trial is inconclusive, with the reason if one is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rackwright.compare.blame import Blame, Trial, blame
from rackwright.compare.equal_nodes import judge_once
from rackwright.compare.limits import kind, limit, limit_source, no_limit
from rackwright.compare.loads import rails as planned
from rackwright.compare.loads import together
from rackwright.compare.readings import finding
from rackwright.model.check import Expectation
from rackwright.model.verdict import Finding, Outcome

OUTCOMES = {
    "good": Outcome.PASS,
    "bad": Outcome.FAIL,
    "pair": Outcome.DEGRADED,
    "suspect": Outcome.INCONCLUSIVE,
    "unseen": Outcome.INCONCLUSIVE,
}


def nodes(
    expectations: Sequence[Expectation],
    trials: Mapping[str, Sequence[Trial]],
    without: Mapping[str, Finding],
    *,
    expected: str,
    source: str,
) -> dict[str, Finding]:
    """A finding for every node over all collectives of `trials`; `without` says of a node without any trial
    why its results are none."""
    names = [one.node.name for one in expectations]
    found = {collective: blame(names, own) for collective, own in trials.items()}
    keys = [tuple([by_node[name].state for by_node in found.values()]) for name in names]
    return judge_once(
        [(one, without.get(one.node.name)) for one in expectations],
        keys,
        lambda one, why: _nodes(one, found, why, expected, source),
    )


def _nodes(
    expectation: Expectation,
    found: Mapping[str, Mapping[str, Blame]],
    without: Finding | None,
    expected: str,
    source: str,
) -> Finding:
    name = expectation.node.name
    said = [
        _said(expectation, by_node[name], what=f"{collective} over nodes", expected=expected, source=source)
        for collective, by_node in found.items()
        if by_node[name].state != "unseen"
    ]
    if not said and without is not None:
        return without
    return together(said) if said else _said(expectation, Blame(), what="collectives", expected=expected, source=source)


def rails(
    expectations: Sequence[Expectation], trials: Mapping[str, Sequence[Trial]], *, what: str, metric: str
) -> dict[str, Finding]:
    """A finding for every node over all its planned rails; each rail is blamed among the same rail of other nodes."""
    names = [one.node.name for one in expectations]
    by_rail = {adapter: blame(names, own) for adapter, own in trials.items()}
    peers = [(one, _own(one, by_rail)) for one in expectations]
    keys = [(kind(one), tuple([blamed.state for blamed in own.values()])) for one, own in peers]
    return judge_once(peers, keys, lambda one, own: _rails(one, own, what, metric))


def _own(expectation: Expectation, by_rail: Mapping[str, Mapping[str, Blame]]) -> dict[str, Blame]:
    """By planned rail of a node: what is said of it."""
    return {adapter: by_rail.get(adapter, {}).get(expectation.node.name, Blame()) for adapter in planned(expectation)}


def _rails(expectation: Expectation, own: Mapping[str, Blame], what: str, metric: str) -> Finding:
    row = limit(expectation, metric)
    if row is None:
        return no_limit(expectation, metric)
    expected = f"{'at most' if metric.endswith('_us') else 'at least'} {row.value} {row.unit}"
    return together(
        _said(expectation, one, what=f"{what} of {adapter}", expected=expected, source=limit_source(row))
        for adapter, one in own.items()
    )


def _said(expectation: Expectation, one: Blame, *, what: str, expected: str, source: str) -> Finding:
    name = expectation.node.name
    others = ", ".join(one.partners)
    told = {
        "good": one.says[0] if one.says else "",
        "bad": f"low with every partner ({others}): {'; '.join(one.says)}",
        "pair": f"low between {name} and {others}, which are good with others: look at the path between them: {'; '.join(one.says)}",
        "suspect": f"low with {others} alone, so either may be the cause: {'; '.join(one.says)}; test {name} with another partner",
        "unseen": "no reading",
    }
    return finding(
        expectation, OUTCOMES[one.state], what=what, observed=told[one.state], expected=expected, source=source
    )
