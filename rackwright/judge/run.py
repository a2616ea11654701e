"""One verdict for every check on every node.

Nothing in here can make a check pass: what was not seen is `not_run`, what cannot be judged is `inconclusive`, and a
check that crashes is inconclusive by name, on every node that it would have judged.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from rackwright.judge.expect import expectations
from rackwright.model.check import AnyCheck, Expectation, FleetCheck, Limits, NodeEvidence
from rackwright.model.design import Design
from rackwright.model.verdict import Finding, Outcome, Verdict


def run(
    design: Design,
    evidence: Mapping[str, NodeEvidence],
    checks: Mapping[str, AnyCheck],
    limits: Limits,
    nodes: Sequence[str] | None = None,
    baselines: Limits | None = None,
) -> list[Verdict]:
    """Judge `nodes` (by default those with evidence), ordered as in the design, then by check id.

    A node of `nodes` without evidence gets `not_run` from every check that applies to it; a node with evidence that is not
    among them is still a peer. `baselines` (see `learn`) are shown beside the limits.
    Raises KeyError for a name that the design does not have.
    """
    wanted = set(evidence if nodes is None else nodes)
    fleet = any(isinstance(check, FleetCheck) for check in checks.values())
    taken = {name: seen.taken for name, seen in evidence.items()}
    expected = expect(design, taken, limits, {*wanted, *(evidence if fleet else ())}, baselines, must=wanted)
    return list(verdicts(expected, evidence, checks, wanted))


def expect(
    design: Design,
    taken: Mapping[str, str],
    limits: Limits,
    names: Collection[str],
    baselines: Limits | None = None,
    must: Collection[str] = (),
) -> list[Expectation]:
    """What is expected of the nodes called `names`, in design order. KeyError for one of `must` that the design does not have."""
    members = [node for node in design.nodes() if node.name in names]
    unknown = set(must) - {node.name for node in members}
    if unknown:
        raise KeyError(", ".join(sorted(unknown)))
    return list(expectations(design, members, limits, taken, baselines))


def verdicts(
    expected: Sequence[Expectation],
    evidence: Mapping[str, NodeEvidence],
    checks: Mapping[str, AnyCheck],
    wanted: Collection[str],
) -> Iterator[Verdict]:
    """One verdict for every check of every node of `wanted`, in the order of `expected`, then by check id (see `run`)."""
    kinds = {check.reads.__name__ for check in checks.values()}
    compared = {
        name: _compared(name, check, expected, evidence)
        for name, check in checks.items()
        if isinstance(check, FleetCheck)
    }
    for expectation in expected:
        node = expectation.node.name
        for name, check in sorted(checks.items()) if node in wanted else ():
            verdict = _judge(name, check, expectation, evidence.get(node), kinds, compared.get(name, {}))
            if verdict is not None:
                yield verdict


def _compared(
    name: str, check: FleetCheck[Any], expected: Sequence[Expectation], evidence: Mapping[str, NodeEvidence]
) -> Mapping[str, Finding]:
    """What a fleet check says of every node that it has a record of; a crash is said of each of them."""
    peers: list[tuple[Expectation, Any]] = []
    try:
        for expectation in expected:
            seen = evidence.get(expectation.node.name)
            record = seen.get(check.reads) if seen is not None and check.applies(expectation) else None
            if record is not None:
                peers.append((expectation, check.takes(record)))
        return check.judge(peers)
    except Exception as error:  # noqa: BLE001 - a crash of a check is a verdict, never a way past the gate
        return {one.node.name: crashed(one.node.name, name, error) for one in expected}


def _judge(
    name: str,
    check: AnyCheck,
    expectation: Expectation,
    seen: NodeEvidence | None,
    kinds: set[str],
    compared: Mapping[str, Finding],
) -> Verdict | None:
    """The verdict of one check on one node; None when the check does not apply to it."""
    finding = find(name, check, expectation, seen, kinds, compared)
    raw = seen.raw.get(check.reads) if seen is not None else None
    return verdict(name, check, expectation.node.name, finding, raw) if finding is not None else None


def verdict(name: str, check: AnyCheck, node: str, finding: Finding, raw: str | None) -> Verdict:
    """A finding with its place; `raw` holds the hashes of what it was judged from."""
    return Verdict(
        check=name, target=node, title=check.title, **finding.model_dump(), evidence=raw.split() if raw else []
    )


def find(
    name: str,
    check: AnyCheck,
    expectation: Expectation,
    seen: NodeEvidence | None,
    kinds: set[str],
    compared: Mapping[str, Finding],
) -> Finding | None:
    """What one check says of one node; None when it does not apply to it."""
    node = expectation.node.name
    try:
        if not check.applies(expectation):
            return None
        record = seen.get(check.reads) if seen is not None else None
        if record is None:
            return unseen(node, check, seen, kinds)
        if isinstance(check, FleetCheck):
            return compared[node] if node in compared else silent(node, name)
        return check.judge(expectation, record)
    except Exception as error:  # noqa: BLE001 - a crash of a check is a verdict, never a way past the gate
        return crashed(node, name, error)


def crashed(node: str, name: str, error: Exception) -> Finding:
    """What is said of a node when a check crashed."""
    kind = type(error).__name__
    says = f"{node}: check {name} crashed, {kind}: {error}"
    return Finding(outcome=Outcome.INCONCLUSIVE, observed=kind, expected="a finding", source="", says=says)


def silent(node: str, name: str) -> Finding:
    """What is said of a node that a fleet check left out."""
    says = f"{node}: check {name} compared the nodes and said nothing of this one"
    return Finding(outcome=Outcome.INCONCLUSIVE, observed="nothing", expected="a finding", source="", says=says)


def unseen(node: str, check: AnyCheck, seen: NodeEvidence | None, kinds: set[str]) -> Finding:
    """Why there is nothing to judge: a collector failed (inconclusive), or the reading was never taken (not_run)."""
    kind = check.reads.__name__
    errors = {name: why for name, why in seen.errors.items() if _owes(seen, name, kind, kinds)} if seen else {}
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


def _owes(seen: NodeEvidence, collector: str, kind: str, kinds: set[str]) -> bool:
    """Whether a collector is the one that owes `kind`: the evidence says so, it bears its name, or none of the others'."""
    if collector in seen.owes:
        return seen.owes[collector] == kind
    named = {one for one in kinds if one.lower().endswith(collector.replace("_", ""))}
    return kind in named or not named
