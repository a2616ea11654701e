"""Verdicts as JSON, put into words by forked processes, are those of the judgement."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rackwright import judge
from rackwright.base.errors import OutsideError
from rackwright.cli.accept import judge_json
from rackwright.flow import fleet_judgement, stored_evidence
from rackwright.judge.judgement import Judgement
from rackwright.model.check import AnyCheck, Check, FleetCheck
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.verdict import SUBJECT, Finding, Outcome
from tests import build
from tests.unit.cli import evidence_store

BASIS = {"site_sha256": "é"}


def finding(node: str, **decided) -> Finding:
    says = f"{node}: “80” W\n; expected 75 W"
    return Finding(outcome=Outcome.FAIL, observed="80 W", expected="75 W", source="a paper", says=says, **decided)


def good() -> Finding:
    return finding("n").model_copy(update={"outcome": Outcome.PASS, "value": 1e-7})


def judgement(folder: Path, *findings: Finding) -> tuple[Judgement, list[dict[str, Any]]]:
    """Of one check on single nodes, and of one that compares them."""
    check: AnyCheck = Check(reads=BmcEvidence, judge=lambda *_: findings[0], title='a "title"')
    fleet: AnyCheck = FleetCheck(reads=BmcEvidence, judge=lambda _: {}, title="beside each other")
    checks = {"bmc.age": fleet, "bmc.power": check}
    single, compared = (
        [(f"n{place}", name, judged, [None, "ab", "ab cd"][place % 3]) for place, judged in enumerate(findings)]
        for name in ("bmc.power", "bmc.age")
    )
    counts = Counter([*(judged.outcome for judged in findings)] * 2)
    rows = [row for pair in zip(compared, single, strict=True) for row in pair]
    spool = judge_json.Spool(folder, checks)
    return Judgement(
        counts,
        len(findings),
        rows[-2:] if findings else [],
        checks,
        kept=[spool.of_nodes(single[:3]), spool.of_nodes(single[3:-1])],
        kept_comparisons=[*filter(None, [spool.of_comparison(compared[:-1])])],
        order=[row[0] for row in single[:-1]],
    ), [*_verdicts(Judgement(counts, len(findings), rows, checks))]


def _verdicts(judged: Judgement) -> list[dict[str, Any]]:
    return [verdict.model_dump(mode="json") for verdict in judged.verdicts]


def text(judged: Judgement) -> str:
    parts: list[bytes] = []
    judge_json.write_verdicts(parts.append, BASIS, judged)
    return b"".join(parts).decode()


def test_parts_are_the_json_of_all_verdicts(tmp_path) -> None:
    key = {"collective": "all_reduce", "size": "1GiB"}
    failures = [finding(f"n{place}", value=80.0, limit=75, unit="W", key=key) for place in range(6)]
    judged, verdicts = judgement(tmp_path, *failures, *[good()] * 5, finding(SUBJECT), finding("a unit"))
    assert text(judged) == json.dumps({"basis": BASIS, "verdicts": verdicts}, indent=2) + "\n"
    assert len(verdicts) == 26
    empty, _ = judgement(tmp_path)
    assert text(empty) == json.dumps({"basis": BASIS, "verdicts": []}, indent=2) + "\n"


@pytest.mark.parametrize("processes", [1, 2])
def test_processes_that_judge_leave_the_text_of_the_same_verdicts(processes, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(fleet_judgement, "NODES_AT_A_TIME", 2)
    failing = {"nvml": {"devices": {3: {"temperature_celsius": 80, "row_remap_pending": True}}}}
    nodes = {f"train-{number:03d}": failing if number == 4 else {} for number in range(1, 8)}
    evidence_store.write_run(tmp_path / "evidence", nodes)
    design, limits, checks = build.site_design(), build.limit_table(), judge.load_checks()
    evidence = stored_evidence.recall(tmp_path / "evidence", design, limits).nodes
    expected = judge.judge_evidence(design, evidence, checks, limits)
    (tmp_path / "texts").mkdir()
    judged = fleet_judgement.judge_store(
        tmp_path / "evidence", design, limits, checks,
        passes=True, keep=judge_json.Spool(tmp_path / "texts", checks), processes=processes,
    )  # fmt: skip
    verdicts = [verdict.model_dump(mode="json") for verdict in expected]
    assert text(judged) == json.dumps({"basis": BASIS, "verdicts": verdicts}, indent=2) + "\n"
    assert judged.counts == Counter(verdict.outcome for verdict in expected)
    assert not [node for node, _, _, _ in judged.rows if node in nodes]


def test_a_full_disk_is_an_error_that_says_what_to_do(tmp_path) -> None:
    row = ("n0", "bmc.power", finding("n0"), None)
    check: AnyCheck = Check(reads=BmcEvidence, judge=lambda *_: good(), title="a title")
    spool = judge_json.Spool(tmp_path / "none", {"bmc.power": check})
    for write in (spool.of_nodes, spool.of_comparison):
        with pytest.raises(OutsideError, match="TMPDIR"):
            write([row])
