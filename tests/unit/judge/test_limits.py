from __future__ import annotations

from pathlib import Path

import pytest

from rackwright import catalog, judge
from rackwright.base.errors import ProblemsError
from rackwright.judge.limits import LimitTable, load
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
    assert judge.lint_limits(judge.load_limits(), catalog.load().accelerators) == []


def test_the_most_specific_row_wins_whatever_the_order() -> None:
    rows = [build.limit(value=1, match={"vendor": "x", "architecture": "y"}), build.limit(value=2, match={})]
    for ordered in (rows, rows[::-1]):
        table = LimitTable((), tuple(build.row(entry) for entry in ordered))
        assert table.find("gpu.memory_share", vendor="x", architecture="y", server="z").value == 1
        assert table.find("gpu.memory_share", vendor="x").value == 2


def test_no_row_is_none() -> None:
    assert judge.load_limits().find("gpu.memory_share", architecture="unheard-of") is None
    assert judge.load_limits().find("no.such_metric") is None


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
    problems = refused(tmp_path, text)
    assert any(problem in entry for entry in problems), problems


def test_all_problems_at_once(tmp_path: Path) -> None:
    bad = ROW.replace("a paper", "' '").replace("unit: share", "unit: parts")
    assert len(refused(tmp_path, f"{METRIC}limits:\n  - {bad}\n  - {ROW.replace('a.b', 'a.c')}")) == 3


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProblemsError, match="cannot be read"):
        load([tmp_path / "no.yaml"])


def test_a_range_of_library_versions_is_part_of_the_match(tmp_path: Path) -> None:
    old, new = (ROW.replace("{}", f"{{vendor: x, library: '{span}'}}") for span in ("<2.26", ">=2.26 <2.28"))
    file = tmp_path / "limits.yaml"
    file.write_text(f"{METRIC}limits:\n  - {old}\n  - {new.replace('0.5', '0.7')}\n")
    table = load([file])
    problems = {
        entry: table.find("a.b", vendor="x", library=entry)
        for entry in ("2.25.9", "2.26", "2.27.3", "2.28.0", "unknown")
    }
    assert {entry: row and row.value for entry, row in problems.items()} == {
        "2.25.9": 0.5, "2.26": 0.7, "2.27.3": 0.7, "2.28.0": None, "unknown": None
    }  # fmt: skip


def test_ranges_that_overlap_are_refused(tmp_path: Path) -> None:
    rows = [ROW.replace("{}", f"{{library: '{span}'}}") for span in ("<2.27", "==2.26")]
    assert any(
        "is given twice" in entry for entry in refused(tmp_path, f"{METRIC}limits:\n  - {rows[0]}\n  - {rows[1]}")
    )


def test_other_limits_replace_rows_of_the_same_match_and_add_the_rest(tmp_path: Path) -> None:
    base, overlay = tmp_path / "base.yaml", tmp_path / "other.yaml"
    base.write_text(f"{METRIC}limits:\n  - {ROW}\n  - {ROW.replace('{}', '{vendor: x}').replace('0.5', '0.6')}\n")
    vendors = ((ROW.replace("{}", f"{{vendor: {entry}}}").replace("0.5", "0.7")) for entry in "xy")
    overlay.write_text("limits:\n" + "".join(f"  - {entry}\n" for entry in vendors))
    table = load([overlay], load([base]))
    assert [table.find("a.b", vendor=entry).value for entry in ("x", "y", "z")] == [0.7, 0.7, 0.5]
    assert load([overlay], load([base]), only=True).find("a.b") is None


def test_other_limits_need_a_metric_of_ours_or_their_own(tmp_path: Path) -> None:
    file = tmp_path / "other.yaml"
    file.write_text(f"limits:\n  - {ROW}\n")
    with pytest.raises(ProblemsError, match="is not declared"):
        load([file], judge.load_limits())
