from __future__ import annotations

from pathlib import Path

import pytest

from rackwright import catalog, judge
from rackwright.errors import ProblemsError
from rackwright.judge.limits import LimitTable, Metric, load
from rackwright.judge.lint import lint
from tests import build

METRIC = "metrics: [{metric: a.b, unit: share, judged: at_least, least: 0, most: 1, says: what it means}]\n"
ROW = "{metric: a.b, match: {}, value: 0.5, unit: share, source: a paper, date: '2026-01-01', kind: vendor}"


def refused(tmp_path: Path, text: str) -> list[str]:
    file = tmp_path / "limits.yaml"
    file.write_text(text)
    with pytest.raises(ProblemsError) as caught:
        load([file])
    return [f"{problem.place.rsplit('/')[-1]} {problem.path} {problem.message}" for problem in caught.value.problems]


def test_the_shipped_limits_load_and_pass_the_linter() -> None:
    assert lint(judge.limits(), catalog.load().accelerators) == []


def test_the_most_specific_row_wins_whatever_the_order() -> None:
    rows = [build.limit(value=1, match={"vendor": "x", "architecture": "y"}), build.limit(value=2, match={})]
    for ordered in (rows, rows[::-1]):
        table = LimitTable((), tuple(build.row(one) for one in ordered))
        assert table.find("gpu.memory_share", vendor="x", architecture="y", server="z").value == 1
        assert table.find("gpu.memory_share", vendor="x").value == 2


def test_no_row_is_none() -> None:
    assert judge.limits().find("gpu.memory_share", architecture="unheard-of") is None
    assert judge.limits().find("no.such_metric") is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (f"{METRIC}limits:\n  - {ROW.replace('value: 0.5, ', '')}", "limits.yaml:3 limits[0].value refused"),
        (
            f"{METRIC}limits:\n  - {ROW.replace('source: a paper', 'source: 7')}",
            "limits.yaml:3 limits[0].source refused",
        ),
        (f"{METRIC}limits:\n  - {ROW.replace('a paper', '')}", "limits[0].source refused"),
        (f"{METRIC}limits:\n  - {ROW.replace('kind: vendor', 'kind: vendor, sample: 3')}", "limits[0].sample refused"),
        (f"{METRIC}limits:\n  - {ROW.replace('unit: share', 'unit: parts')}", "limits.yaml:3 a.b.unit differs"),
        (f"{METRIC}limits:\n  - {ROW.replace('a.b', 'a.c')}", "limits.yaml:3 a.c.metric is not declared"),
        (f"{METRIC}limits:\n  - {ROW}\n  - {ROW}", "limits.yaml:4 a.b.match is given twice"),
        (
            f"{METRIC}limits:\n  - {ROW.replace('{}', '{vendor: x}')}\n  - {ROW.replace('{}', '{server: y}')}",
            "limits.yaml:4 a.b.match is as specific as a row with other keys",
        ),
        ("limit: []", "limits.yaml:1 limit unknown key"),
        ("limits: {a: 1}", "limits.yaml:1 limits not a list"),
        ("limits: [", "not YAML"),
        ("- 1", "not a mapping"),
        (
            f"limits:\n  - {ROW.replace('unit: share', 'unit: share, unit: parts')}",
            "limits.yaml:2 limits[0].unit given twice",
        ),
    ],
)
def test_a_bad_file_is_refused_with_its_line(tmp_path: Path, text: str, problem: str) -> None:
    found = refused(tmp_path, text)
    assert any(problem in one for one in found), found


def test_all_problems_at_once(tmp_path: Path) -> None:
    bad = ROW.replace("a paper", "' '").replace("unit: share", "unit: parts")
    assert len(refused(tmp_path, f"{METRIC}limits:\n  - {bad}\n  - {ROW.replace('a.b', 'a.c')}")) == 3


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProblemsError, match="cannot be read"):
        load([tmp_path / "no.yaml"])


def complaints(*rows, metric: dict | None = None) -> list[str]:
    said = {"metric": "bandwidth.hbm", "unit": "GB/s", "judged": "at_least", "says": "copy", "least": 0}
    kind = Metric(**(said | {"ceiling": "memory_gbytes_per_s"} | (metric or {})))
    policy = [build.row(build.limit("policy.sister_spread", value=1.25, unit="factor"))]
    spread = Metric(metric="policy.sister_spread", unit="factor", judged="at_most", says="spread")
    limits = [build.row(build.limit("bandwidth.hbm", unit="GB/s", **one), f"l.yaml:{n}") for n, one in enumerate(rows)]
    table = LimitTable((build.row(kind), build.row(spread)), tuple(limits + policy))
    parts = {"h100-sxm": build.accelerator("h100-sxm"), "h200-sxm": build.accelerator("h200-sxm")}
    return [f"{problem.place} {problem.message}" for problem in lint(table, parts)]


H100, H200 = {"accelerator": "h100-sxm"}, {"accelerator": "h200-sxm"}


def test_lint_accepts_sisters_that_agree() -> None:
    assert complaints({"match": H100, "value": 2900}, {"match": H200, "value": 4000}) == []


@pytest.mark.parametrize(
    ("row", "metric", "complaint"),
    [
        ({"value": 0}, {}, "cannot fail: no reading is lower"),
        ({"value": -1.0}, {}, "cannot fail: no reading is lower"),
        ({"value": 16}, {"judged": "at_most", "most": 16}, "cannot fail: no reading is higher"),
        ({"value": -1}, {"judged": "at_most"}, "cannot be met"),
        ({"value": "much"}, {}, "has the wrong type"),
        ({"value": []}, {"judged": "words"}, "it asks for nothing"),
        ({"value": 3351, "match": H100}, {}, "is above the ceiling of h100-sxm"),
        ({"value": 3400, "match": {}}, {}, "is above the ceiling of h100-sxm"),
        ({"value": 3000, "match": H100, "kind": "guess"}, {}, "is unknown"),
        ({"value": 3000, "match": H100, "date": "July 2026"}, {}, "is no ISO date"),
    ],
)
def test_lint_finds_a_limit_that_is_wrong(row, metric, complaint) -> None:
    assert any(complaint in one for one in complaints(row, metric=metric)), complaints(row, metric=metric)


def test_lint_finds_sisters_that_disagree() -> None:
    # The published pair that this rule is made for: a floor a thousand times below that of its sister id.
    [found] = complaints({"match": H100, "value": 2900}, {"match": H200, "value": 2.333})
    assert found == "l.yaml:1 disagrees with its sister at l.yaml:0"
