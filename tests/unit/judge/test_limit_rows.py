"""Problems of limit files in full, and tables laid over each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from rackwright.base.errors import ProblemsError
from rackwright.judge.limits import LimitTable, Metric, load
from tests import build

METRIC = "metrics: [{metric: a.b, unit: share, judged: at_least, least: 0, most: 1, says: what it means}]\n"
ROW = {
    "metric": "a.b",
    "match": "{}",
    "value": "0.5",
    "unit": "share",
    "source": "p",
    "date": "'2026-01-01'",
    "kind": "vendor",
}


def write(tmp_path: Path, *rows: dict, metric: str = METRIC) -> Path:
    lines = [f"- {{{', '.join(f'{name}: {value}' for name, value in (ROW | row).items())}}}\n" for row in rows]
    file = tmp_path / f"l{len(list(tmp_path.iterdir()))}.yaml"
    file.write_text(f"{metric}limits:\n{''.join(lines)}")
    return file


def problems(*files: Path, base: LimitTable | None = None):
    with pytest.raises(ProblemsError) as caught:
        load(files, base)
    assert {(problem.next_step, problem.code) for problem in caught.value.problems} == {
        ("mend the row, or remove it", "limits.refused")
    }
    return [
        (Path(problem.place).name, problem.path, problem.message, problem.expected, problem.found)
        for problem in caught.value.problems
    ]


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([{"metric": "a.c"}], ("l0.yaml:3", "a.c.metric", "is not declared", "a row under `metrics`", "a.c")),
        ([{"unit": "W"}], ("l0.yaml:3", "a.b.unit", "differs from its metric", "share", "W")),
        ([{"source": "' '"}], ("l0.yaml:3", "a.b.source", "is empty", "where and when the number was read", "nothing")),
        ([{"date": "' '"}], ("l0.yaml:3", "a.b.date", "is empty", "where and when the number was read", "nothing")),
        (
            [{"match": "{server: y, size: z}"}, {"match": "{vendor: x, server: y}"}],
            ("l0.yaml:4", "a.b.match", "is as specific as a row with other keys", "server, size", "l0.yaml:3"),
        ),
    ],
)
def test_problems_of_a_row(tmp_path, rows, problem) -> None:
    [(*fields, value)] = problems(write(tmp_path, *rows))
    assert (*fields, value.removeprefix(f"{tmp_path}/")) == problem


def test_a_row_that_is_given_twice_names_the_first_one(tmp_path) -> None:
    first, second = (write(tmp_path, {"match": "{vendor: x}"}, metric=metric) for metric in (METRIC, ""))
    expected = ("l1.yaml:2", "a.b.match", "is given twice", "one row per key", f"the same match at {first}:3")
    assert problems(first, second) == [expected]
    assert load([second], load([first])).find("a.b", vendor="x").value == 0.5


def test_two_rows_of_an_overlay_are_not_the_same(tmp_path) -> None:
    base, overlay = write(tmp_path, {}), write(tmp_path, {"match": "{vendor: x}"}, {"match": "{vendor: x}"}, metric="")
    assert {problem[2] for problem in problems(overlay, base=load([base]))} == {"is given twice"}


@pytest.mark.parametrize(
    "matches",
    [
        ["{library: '>=2'}", "{library: '<2'}"],
        ["{library: '>=2'}", "{vendor: x, library: '>=2'}"],
        ["{}", "{vendor: x}", "{vendor: y}", "{vendor: x, server: z}"],
    ],
)
def test_rows_that_stand_beside_each_other(tmp_path, matches) -> None:
    table = load([write(tmp_path, *({"match": match} for match in matches))])
    assert len(table.rows) == len(table.by_metric["a.b"]) == len(matches)


def test_every_file_with_problems_is_named(tmp_path) -> None:
    files = [tmp_path / "no.yaml", write(tmp_path, {"unit": "W"}), tmp_path / "nor.yaml"]
    with pytest.raises(ProblemsError) as caught:
        load(files)
    assert [Path(problem.place).name for problem in caught.value.problems] == ["no.yaml", "nor.yaml"]


def table(*rows, metrics=()) -> LimitTable:
    kinds = [build.row(Metric(metric=name, unit=unit, judged="table", says="it")) for name, unit in metrics]
    return LimitTable(tuple(kinds), tuple(build.row(row) for row in rows))


def test_tables_over_each_other() -> None:
    x = {"vendor": "x"}
    base = table(
        build.limit("a", value=1),
        build.limit("a", value=2, match=x),
        build.limit("b", value=3),
        metrics=[("a", "W"), ("b", "W")],
    )
    rows = table(build.limit("a", value=9, match=x), build.limit("c", value=8), metrics=[("b", "V"), ("c", "W")])
    over = rows.over(base)
    assert [(row.record.metric, row.record.value) for row in over.rows] == [("a", 1), ("b", 3), ("a", 9), ("c", 8)]
    assert [(row.record.metric, row.record.unit) for row in over.metrics] == [("a", "W"), ("b", "V"), ("c", "W")]
    assert (over.find("a", vendor="x").value, over.find("a").value, over.find("c", vendor="x").value) == (9, 1, 8)


def test_a_row_is_found_by_all_its_keys_and_the_most_specific_one_counts() -> None:
    matches = [{}, {"a": "1"}, {"a": "1", "b": "2"}, {"c": "3"}]
    rows = table(*(build.limit("m", value=number, match=match) for number, match in enumerate(matches)))
    keys = [{}, {"a": "1"}, {"a": "1", "b": "2", "d": "4"}, {"b": "2"}, {"c": "3", "b": "2"}]
    for _ in range(2):
        assert [rows.find("m", **key).value for key in keys] == [0, 1, 2, 0, 3]
    assert rows.find("n") is None
