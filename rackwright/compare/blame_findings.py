"""The findings of nodes whose readings were taken together with others.

`blame` decides which part explains a slow trial; this module words the findings. A node that was in no trial is
inconclusive, with the reason if one is known.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from rackwright.compare.blame import Blame, JointReading, blame_parts
from rackwright.compare.equal_nodes import judge_once
from rackwright.compare.limits import kind, limit, limit_source, no_limit
from rackwright.compare.loads import combine_findings
from rackwright.compare.loads import planned_rails as planned
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


def node_findings(
    expectations: Sequence[Expectation],
    trials: Mapping[str, Sequence[JointReading]],
    without: Mapping[str, Finding],
    *,
    expected: str,
    source: str,
) -> dict[str, Finding]:
    """A finding for every node over all collectives of `trials`.

    `without` maps a node without any trial to the finding that says why its results cannot be judged.
    """
    names = [expectation.node.name for expectation in expectations]
    blames = {collective: blame_parts(names, collective_trials) for collective, collective_trials in trials.items()}
    keys = [tuple([by_node[name].state for by_node in blames.values()]) for name in names]
    return judge_once(
        [(expectation, without.get(expectation.node.name)) for expectation in expectations],
        keys,
        lambda expectation, why: _nodes(expectation, blames, why, expected, source),
    )


def _nodes(
    expectation: Expectation,
    blames: Mapping[str, Mapping[str, Blame]],
    without: Finding | None,
    expected: str,
    source: str,
) -> Finding:
    name = expectation.node.name
    findings = [
        _blame_finding(expectation, by_node[name], what=f"{collective} over nodes", expected=expected, source=source)
        for collective, by_node in blames.items()
        if by_node[name].state != "unseen"
    ]
    if not findings and without is not None:
        return without
    return (
        combine_findings(findings)
        if findings
        else _blame_finding(expectation, Blame(), what="collectives", expected=expected, source=source)
    )


def rail_findings(
    expectations: Sequence[Expectation], trials: Mapping[str, Sequence[JointReading]], *, what: str, metric: str
) -> dict[str, Finding]:
    """A finding for every node over all its planned rails; each rail is compared with the same rail of other nodes."""
    names = [expectation.node.name for expectation in expectations]
    by_rail = {adapter: blame_parts(names, blames) for adapter, blames in trials.items()}
    peers = [(expectation, _rail_blames(expectation, by_rail)) for expectation in expectations]
    keys = [(kind(expectation), tuple([blamed.state for blamed in blames.values()])) for expectation, blames in peers]
    return judge_once(peers, keys, lambda expectation, blames: _rails(expectation, blames, what, metric))


def _rail_blames(expectation: Expectation, by_rail: Mapping[str, Mapping[str, Blame]]) -> dict[str, Blame]:
    """Planned rail -> the blame of the node on it."""
    return {adapter: by_rail.get(adapter, {}).get(expectation.node.name, Blame()) for adapter in planned(expectation)}


def _rails(expectation: Expectation, blames: Mapping[str, Blame], what: str, metric: str) -> Finding:
    row = limit(expectation, metric)
    if row is None:
        return no_limit(expectation, metric)
    expected = f"{'at most' if metric.endswith('_us') else 'at least'} {row.value} {row.unit}"
    return combine_findings(
        _blame_finding(
            expectation, rail_blame, what=f"{what} of {adapter}", expected=expected, source=limit_source(row)
        )
        for adapter, rail_blame in blames.items()
    )


def _blame_finding(expectation: Expectation, blamed: Blame, *, what: str, expected: str, source: str) -> Finding:
    name = expectation.node.name
    partners = ", ".join(blamed.partners)
    observations = {
        "good": blamed.says[0] if blamed.says else "",
        "bad": f"low with every partner ({partners}): {'; '.join(blamed.says)}",
        "pair": f"low between {name} and {partners}, which are good with others: look at the path between them: {'; '.join(blamed.says)}",
        "suspect": f"low with {partners} alone, so either may be the cause: {'; '.join(blamed.says)}; test {name} with another partner",
        "unseen": "no reading",
    }
    return finding(
        expectation,
        OUTCOMES[blamed.state],
        what=what,
        observed=observations[blamed.state],
        expected=expected,
        source=source,
    )


def show_only(findings: Mapping[str, Finding], names: Collection[str]) -> Mapping[str, Finding]:
    """`findings`, with those of the nodes in `names` made advisory unless they pass."""
    return {
        name: finding
        if name not in names or finding.outcome is Outcome.PASS
        else finding.model_copy(update={"advisory": True})
        for name, finding in findings.items()
    }
