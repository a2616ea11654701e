"""Real BMCs, as others published them: read by our own client, and judged. A healthy machine of each maker passes or is advised, a faulty one is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rackwright.base import yaml_text
from rackwright.model.verdict import Outcome

from . import trees

DATA = yaml_text.load((trees.CASES / "cases.yaml").read_text(encoding="utf-8"))["trees"]
GATES = yaml_text.load((Path(__file__).parents[3] / "validators" / "gates.yaml").read_text(encoding="utf-8"))
ADVISORY = {row["check"] for row in GATES["advisory"]}
NAMES = [case["tree"] for case in DATA]


def _healthy(case: dict[str, Any]) -> trees.Tree:
    tree: trees.Tree = trees.changed(trees.recorded(case["tree"]), case.get("corrected", {}))
    return tree


@pytest.mark.parametrize("case", DATA, ids=NAMES)
def test_a_healthy_machine_passes_or_is_advised(case: dict[str, Any]) -> None:
    tree = _healthy(case)
    documents = trees.read(tree)
    assert all(tree[path] == document for path, document in documents.items()), "as they were published"
    expectation = trees.expected(case["server"], case["since"])
    outcomes = dict(trees.findings(trees.evidence(documents), expectation))
    advised = {name for name, finding in outcomes.items() if finding.outcome is not Outcome.PASS}
    unsaid = case.get("inconclusive", {})
    assert {name: outcomes[name].says for name in sorted(advised - {*case["advice"], *unsaid})} == {}
    assert advised == {*case["advice"], *unsaid}
    kept_out = {
        name for name in advised - {*unsaid} if not (outcomes[name].outcome is Outcome.DEGRADED or name in ADVISORY)
    }
    assert kept_out == set(), "advice opens the gate of a node"


@pytest.mark.parametrize(
    ("case", "fault"), [(case, fault) for case in DATA for fault in case["faults"]],
    ids=[f"{case['tree']}: {fault['name']}" for case in DATA for fault in case["faults"]],
)  # fmt: skip
def test_a_faulty_machine_is_refused(case: dict[str, Any], fault: dict[str, Any]) -> None:
    healthy = _healthy(case)
    assert set(fault["change"]) <= set(healthy), "the fault is in documents that this BMC has"
    expectation = trees.expected(case["server"], case["since"])
    findings = dict(trees.findings(trees.evidence(trees.changed(healthy, fault["change"])), expectation))
    refused = {
        name
        for name, finding in findings.items()
        if finding.outcome in {Outcome.FAIL, Outcome.DEGRADED, Outcome.INCONCLUSIVE}
    }
    expected = {*fault["refused"], *case["advice"], *case.get("inconclusive", {})}
    assert refused == expected, {name: findings[name].says for name in refused ^ expected}
