"""What a fleet measured can be judged by: it stands beside our limits and never has equal right with one of them."""

from __future__ import annotations

from datetime import date

from rackwright import judge
from rackwright.cli.accept.judge_text import baseline
from rackwright.compare import about
from rackwright.judge.learn import learn
from rackwright.model.verdict import Outcome, Verdict
from tests import build

NODE = "train-001"


def measured(metric: str, key: dict[str, str], unit: str) -> Verdict:
    return Verdict(
        check="a.b", target=NODE, title="", outcome=Outcome.PASS, observed="", expected="", source="", says="",
        metric=metric, key=key, value=1.5, unit=unit, evidence=[],
    )  # fmt: skip


def test_whatever_was_measured_lies_over_the_limits(tmp_path) -> None:
    base, key = judge.load_limits(), about(build.expected(NODE))
    ours = [
        row.record
        for row in base.rows
        if all(key.get(name, value) == value for name, value in row.record.match.items())
    ]
    rows = learn(
        build.site_design(),
        [measured(row.metric, row.match, row.unit) for row in ours],
        ["run"],
        date.fromisoformat(build.TAKEN[:10]),
    )
    assert len(rows) > 100
    file = tmp_path / "fleet.yaml"
    file.write_text(baseline(rows))
    table = judge.load_limits([file], base)
    for learned in rows:
        assert table.find(learned.metric, **(key | learned.match)) == learned
