"""One verdict for every check on every node. In: design, evidence, checks, limits. Out: verdicts, in a fixed order.

Nothing in here can make a check pass: what was not seen is `not_run`, what cannot be judged is `inconclusive`, and a
check that crashes is inconclusive by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rackwright.judge.expect import expectations
from rackwright.model.check import Check, Expectation, Limits, NodeEvidence
from rackwright.model.design import Design
from rackwright.model.verdict import Finding, Outcome, Verdict


def run(
    design: Design,
    evidence: Mapping[str, NodeEvidence],
    checks: Mapping[str, Check[Any]],
    limits: Limits,
    nodes: Sequence[str] | None = None,
) -> list[Verdict]:
    """Judge `nodes` (by default those with evidence), ordered as in the design, then by check id.

    A node of `nodes` without evidence gets `not_run` from every check that applies to it. Raises KeyError for a name
    that the design does not have.
    """
    wanted = set(evidence if nodes is None else nodes)
    members = [node for node in design.nodes() if node.name in wanted]
    unknown = wanted - {node.name for node in members}
    if unknown:
        raise KeyError(", ".join(sorted(unknown)))
    taken = {name: seen.taken for name, seen in evidence.items()}
    kinds = {check.reads.__name__ for check in checks.values()}
    return [
        verdict
        for expectation in expectations(design, members, limits, taken)
        for name, check in sorted(checks.items())
        if (verdict := _judge(name, check, expectation, evidence.get(expectation.node.name), kinds)) is not None
    ]


def _judge(
    name: str, check: Check[Any], expectation: Expectation, seen: NodeEvidence | None, kinds: set[str]
) -> Verdict | None:
    """The verdict of one check on one node; None when the check does not apply to it."""
    node = expectation.node.name
    try:
        if not check.applies(expectation):
            return None
        record = seen.get(check.reads) if seen is not None else None
        finding = _unseen(node, check, seen, kinds) if record is None else check.judge(expectation, record)
    except Exception as error:  # noqa: BLE001 - a crash of a check is a verdict, never a way past the gate
        says = f"{node}: check {name} crashed, {type(error).__name__}: {error}"
        finding = Finding(
            outcome=Outcome.INCONCLUSIVE, observed=type(error).__name__, expected="a finding", source="", says=says
        )
    raw = seen.raw.get(check.reads) if seen is not None else None
    return Verdict(
        check=name,
        target=node,
        title=check.title,
        **finding.model_dump(),
        evidence=raw.split() if raw else [],
    )


def _unseen(node: str, check: Check[Any], seen: NodeEvidence | None, kinds: set[str]) -> Finding:
    """Why there is nothing to judge: a collector failed (inconclusive), or the reading was never taken (not_run)."""
    kind = check.reads.__name__
    errors = {name: why for name, why in (seen.errors if seen else {}).items() if _owes(name, kind, kinds)}
    if errors:
        outcome, says = Outcome.INCONCLUSIVE, f"{node}: no {kind} reading: {_causes(errors)}"
    else:
        outcome, says = Outcome.NOT_RUN, f"{node}: no {kind} reading was taken"
    return Finding(outcome=outcome, observed="no reading", expected=f"a reading of {kind}", source="", says=says)


def _causes(errors: Mapping[str, str]) -> str:
    """What went wrong; collectors are named only when they tell different stories."""
    if len(set(errors.values())) == 1:
        return next(iter(errors.values()))
    return "; ".join(f"{name}: {error}" for name, error in sorted(errors.items()))


def _owes(collector: str, kind: str, kinds: set[str]) -> bool:
    """Whether a collector is the one that owes `kind`: it bears its name (``fabric``, NodeFabric), or none of the others'."""
    named = {one for one in kinds if one.lower().endswith(collector.replace("_", ""))}
    return kind in named or not named
