"""Records of a sheet share findings as records in memory do, and each check reads as few of them as possible."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from rackwright import compare
from rackwright.judge.engine import Engine
from rackwright.judge.judgement import join
from rackwright.judge.node_view import sentence
from rackwright.judge.shared_findings import TRIALS, SharedFindings
from rackwright.model.check import Check
from rackwright.model.evidence.drives import Drives
from rackwright.model.record_columns import sheet
from rackwright.model.records import OnSheet
from rackwright.model.verdict import Outcome
from tests import build

ONE = build.expectation()


def named(name: str, **change):
    return replace(ONE, node=replace(ONE.node, name=name, **change))


def drives(serial: str, wear: int) -> Drives:
    drive = build.healthy_record(Drives).drives[0]
    return Drives(drives=[drive.model_copy(update={"serial": serial, "percentage_used": wear})])


def wear_check(calls: list[int]):
    """Fails worn drives, and names them by serial number."""

    def judge(expectation, record):
        drive = record.drives[0]
        calls.append(1)
        outcome = Outcome.PASS if drive.percentage_used < 50 else Outcome.FAIL
        observed = f"drive {drive.serial}" if outcome is Outcome.FAIL else "good"
        return compare.finding(expectation, outcome, what="wear:", observed=observed, expected="less", source="s")

    return ("wear", Check(title="t", reads=Drives, judge=judge))


def judged(records, *, passes: bool, on_sheet: bool):
    """By node: passes that were only counted, sentences, checks to be judged for it alone; how often a check ran."""
    calls: list[int] = []
    checks, shared = [wear_check(calls)], SharedFindings(passes=passes)
    held = [OnSheet(sheet(Drives, records), place) for place in range(len(records))] if on_sheet else records
    results = []
    for number, record in enumerate(held):
        node = named(f"n{number}")
        findings = shared.judge(checks, shared.kind(node), node, record)
        says = [sentence(finding, node.node.name) for _, finding in findings.listed]
        results.append((findings.passed, says, [name for name, _ in findings.unshared]))
    return results, len(calls)


@pytest.mark.parametrize(("on_sheet", "runs"), [(True, 2), (False, 3)])
def test_rows_that_are_equal_in_what_is_read_are_judged_once(on_sheet, runs) -> None:
    records = [drives(serial, wear) for serial, wear in (("a", 3), ("b", 3), ("c", 60), ("d", 3), ("e", 60), ("a", 3))]
    results, calls = judged(records, passes=False, on_sheet=on_sheet)
    passed, alone = (1, [], []), (0, [], ["wear"])
    assert results == [passed, passed, alone, passed, alone, passed]
    assert calls == runs  # a row says at once that its finding names its node
    results, calls = judged(records[:2], passes=True, on_sheet=on_sheet)
    assert results == [(0, [f"n{number}: wear: good; expected less (s)"], []) for number in range(2)]
    assert calls == 1


@pytest.mark.parametrize("on_sheet", [True, False])
def test_a_check_that_is_another_one_on_every_row_is_given_up(on_sheet) -> None:
    records = [drives(f"s{wear}", wear) for wear in range(2 * TRIALS)]
    results, calls = judged(records, passes=False, on_sheet=on_sheet)
    assert results == [(1, [], [])] * TRIALS + [(0, [], ["wear"])] * TRIALS
    assert calls == TRIALS


def test_a_check_is_given_up_when_more_rows_are_new_than_are_not() -> None:
    records = [drives("a", wear) for wear in (*[1] * 2 * TRIALS, *range(2, 2 + 2 * TRIALS))]
    results, calls = judged(records, passes=False, on_sheet=True)
    assert results == [(1, [], [])] * (4 * TRIALS - 2) + [(0, [], ["wear"])] * 2
    assert calls == 2 * TRIALS - 1


@pytest.mark.parametrize("change", [{"pool": "x"}, {"role": "slurm"}, {"accelerators": 4}, {"scheduler": "none"}])
def test_nodes_of_another_kind_share_nothing(change) -> None:
    shared = SharedFindings(passes=False)
    assert shared.kind(named("a")) == shared.kind(named("b", rack="r9")) == 0
    assert shared.kind(named("c", **change)) == 1
    assert shared.kind(replace(named("a"), links=ONE.links[1:])) == 2
    assert shared.kind(replace(named("a"), software=ONE.software.model_copy())) == 3
    assert shared.kind(named("d")) == 0


def test_the_engine_counts_passes_and_keeps_what_is_no_pass() -> None:
    calls: list[int] = []
    name, check = wear_check(calls)
    records = {f"n{number}": drives(f"s{number}", 60 * (number == 1)) for number in range(4)}
    evidence = {
        node: replace(build.node_evidence(records={Drives: record}, raw={Drives: "r"}), node=node)
        for node, record in records.items()
    }
    expectations = [named(node) for node in (*records, "n9")]
    part = Engine({name: check}, passes=False).judge(expectations, evidence)
    assert part.counts == Counter({Outcome.PASS: 3, Outcome.FAIL: 1, Outcome.NOT_RUN: 1})
    rows = [(node, name, finding.outcome, raw) for node, name, finding, raw in part.rows]
    assert rows == [("n1", "wear", "fail", "r"), ("n9", "wear", "not_run", None)]
    in_full = Engine({name: check}, passes=True).judge(expectations, evidence)
    assert in_full.counts == part.counts
    assert [node for node, *_ in in_full.rows] == ["n0", "n1", "n2", "n3", "n9"]
    judgement = join(expectations, [in_full], {name: check}, passes=True)
    assert (judgement.counts, judgement.nodes, judgement.units) == (part.counts, 5, 0)
    assert [words[:3] for words in judgement.sentences] == [("fail", "wear", "n1"), ("not_run", "wear", "n9")]
    assert [(verdict.target, verdict.evidence) for verdict in judgement.verdicts] == [
        *((f"n{number}", ["r"]) for number in range(4)),
        ("n9", []),
    ]
    assert join(expectations, [in_full], {name: check}, passes=True, judged_nodes=["n1", "n1", "x"]).nodes == 1
    some = Engine({name: check}, passes=True).judge(expectations, evidence, ["n1", "n9"])
    assert [node for node, *_ in some.rows] == ["n1", "n9"]
    assert some.counts == Counter({Outcome.FAIL: 1, Outcome.NOT_RUN: 1})
