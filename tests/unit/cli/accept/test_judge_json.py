"""Verdicts as JSON, put into words by forked processes, are those of the judgement."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from rackwright import judge
from rackwright.base.errors import OutsideError
from rackwright.cli.accept import judge_json
from rackwright.flow import fleet_judgement, stored_evidence
from rackwright.judge.judgement import Judgement
from rackwright.model.check import AnyCheck, Check
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.lazy_finding import passed
from rackwright.model.verdict import SUBJECT, Finding, Outcome
from tests import build
from tests.unit.cli import evidence_store

BASIS = {"site_sha256": "é"}


def finding(node: str, **decided) -> Finding:
    says = f"{node}: “80” W\n; expected 75 W"
    return Finding(outcome=Outcome.FAIL, observed="80 W", expected="75 W", source="a paper", says=says, **decided)


def good() -> Finding:
    return finding("n").model_copy(update={"outcome": Outcome.PASS, "value": 1e-7})


def crash() -> Finding:
    raise ZeroDivisionError("no")


def judgement(*findings: Finding) -> Judgement:
    check: AnyCheck = Check(reads=BmcEvidence, judge=lambda *_: findings[0], title='a "title"')
    rows = [
        (f"n{place}", "bmc.power", judged, [None, "ab", "ab cd"][place % 3]) for place, judged in enumerate(findings)
    ]
    return Judgement(Counter(judged.outcome for judged in findings), len(rows), rows, {"bmc.power": check})


def text(judged: Judgement, processes: int) -> tuple[str, Counter[Outcome]]:
    parts: list[bytes] = []
    counts = judge_json.write_verdicts(parts.append, BASIS, judged, processes)
    return b"".join(parts).decode(), counts


@pytest.mark.parametrize("processes", [1, 2])
def test_parts_are_the_json_of_all_verdicts(processes, monkeypatch) -> None:
    monkeypatch.setattr(judge_json, "AT_ONCE", 2)
    monkeypatch.setattr(judge_json, "PARTS", 2)
    key = {"collective": "all_reduce", "size": "1GiB"}
    failures = [finding(f"n{place}", value=80.0, limit=75, unit="W", key=key) for place in range(6)]
    judged = judgement(*failures, *(passed(good) for _ in range(5)), finding(SUBJECT))
    written, counts = text(judged, processes)
    verdicts = [verdict.model_dump(mode="json") for verdict in judged.verdicts]
    assert written == json.dumps({"basis": BASIS, "verdicts": verdicts}, indent=2) + "\n"
    assert counts == {Outcome.FAIL: 7, Outcome.PASS: 5}
    assert text(judgement(), processes) == (json.dumps({"basis": BASIS, "verdicts": []}, indent=2) + "\n", Counter())


@pytest.mark.parametrize("processes", [1, 2])
def test_a_pass_that_cannot_be_worded_is_inconclusive(processes, monkeypatch) -> None:
    monkeypatch.setattr(judge_json, "AT_ONCE", 1)
    judged = judgement(passed(good), passed(crash))
    written, counts = text(judged, processes)
    assert counts == {Outcome.PASS: 1, Outcome.INCONCLUSIVE: 1}
    assert json.loads(written)["verdicts"][1]["says"] == "n1: check bmc.power crashed, ZeroDivisionError: no"
    assert [verdict.outcome for verdict in judged.verdicts] == [Outcome.PASS, Outcome.INCONCLUSIVE]


@pytest.mark.parametrize("processes", [1, 2])
def test_processes_that_judge_leave_the_text_of_the_same_verdicts(processes, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(fleet_judgement, "NODES_AT_A_TIME", 2)
    monkeypatch.setattr(judge_json, "AT_ONCE", 2)
    failing = {"nvml": {"devices": {3: {"temperature_celsius": 80, "row_remap_pending": True}}}}
    nodes = {f"train-{number:03d}": failing if number == 4 else {} for number in range(1, 8)}
    evidence_store.write_run(tmp_path / "evidence", nodes)
    design, limits, checks = build.site_design(), build.limit_table(), judge.load_checks()
    evidence = stored_evidence.recall(tmp_path / "evidence", design, limits).nodes
    expected = judge.judge_evidence(design, evidence, checks, limits)
    (tmp_path / "texts").mkdir()
    judged = fleet_judgement.judge_store(
        tmp_path / "evidence", design, limits, checks,
        passes=True, keep=judge_json.Spool(tmp_path / "texts", checks).put, processes=processes,
    )  # fmt: skip
    written, counts = text(judged, processes)
    verdicts = [verdict.model_dump(mode="json") for verdict in expected]
    assert written == json.dumps({"basis": BASIS, "verdicts": verdicts}, indent=2) + "\n"
    assert counts == Counter(verdict.outcome for verdict in expected)
    assert {name for node, name, _, _ in judged.rows if node in nodes} <= {*judge_json.fleet_names(checks)}


def test_a_full_disk_is_an_error_that_says_what_to_do(tmp_path) -> None:
    judged = judgement(finding("n0"))
    with pytest.raises(OutsideError, match="TMPDIR"):
        judge_json.Spool(tmp_path / "none", judged.checks).put(judged.rows)
