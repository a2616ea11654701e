import sqlite3
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import event

from rackwright.base.errors import OutsideError
from rackwright.ledger import Ledger
from rackwright.model.gate import Decision
from rackwright.model.verdict import Outcome, Verdict

START = datetime(2026, 11, 21, 8, 0, tzinfo=UTC)


class Ticking:
    """A clock that is one second later at every look."""

    def __init__(self):
        self.looks = 0

    def __call__(self):
        self.looks += 1
        return START + timedelta(seconds=self.looks)


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path / 'ledger.db'}"


@pytest.fixture
def ledger(url):
    opened = Ledger(url, Ticking())
    yield opened
    opened.close()


def verdict(node, check="gpu.row_remap", outcome=Outcome.FAIL):
    return Verdict(
        check=check, target=node, title="row remap", outcome=outcome, observed="1 pending", expected="none",
        source="limits", says="GPU 3 has a row remap pending", evidence=["ab" * 32],
    )  # fmt: skip


def test_an_unfinished_run_is_found_again_by_another_process(url, ledger):
    run = ledger.begin("h100-pod", "rehearse", {"nodes": 8}, site_sha256="c0ffee")
    second = Ledger(url, Ticking())

    result = second.unfinished("h100-pod", "rehearse")

    assert (result.id, result.options, result.site_sha256, result.started) == (
        run,
        {"nodes": 8},
        "c0ffee",
        START + timedelta(seconds=1),
    )
    assert second.unfinished("h100-pod", "collect") is None
    assert second.unfinished("other-pod", "rehearse") is None


def test_a_finished_run_is_not_resumed_nor_an_older_one_behind_it(ledger):
    ledger.begin("h100-pod", "rehearse", {})
    newer = ledger.begin("h100-pod", "rehearse", {})
    ledger.finish(newer, "pass")

    assert ledger.unfinished("h100-pod", "rehearse") is None
    assert [run.outcome for run in ledger.runs("h100-pod", "rehearse")] == ["pass", None]


def test_finishing_a_run_that_was_never_begun_is_an_error(ledger):
    with pytest.raises(KeyError):
        ledger.finish("20261121T000000Z-000000", "pass")


def test_a_step_is_done_only_after_its_body_ended(ledger):
    run = ledger.begin("h100-pod", "rehearse", {})
    with ledger.step(run, "collect") as note:
        assert not ledger.is_done(run, "collect")
        note.detail = "9 nodes"

    assert ledger.is_done(run, "collect")
    assert not ledger.is_done(run, "collect", node="train-001")
    (step,) = ledger.steps(run)
    assert (step.step, step.outcome, step.detail, step.seconds) == ("collect", "done", "9 nodes", 1.0)


def test_a_failed_step_keeps_the_sentence_and_may_succeed_later(ledger):
    run = ledger.begin("h100-pod", "rehearse", {})
    with pytest.raises(OutsideError), ledger.step(run, "onboard", node="train-001"):
        raise OutsideError("train-001 refused the key\nsecond line")
    assert not ledger.is_done(run, "onboard", node="train-001")

    with ledger.step(run, "onboard", node="train-001") as note:
        note.skip("nothing to change")

    assert ledger.is_done(run, "onboard", node="train-001")
    assert [(e.outcome, e.says) for e in ledger.history("train-001")] == [
        ("failed", "train-001 refused the key"),
        ("skipped", "nothing to change"),
    ]


def test_ctrl_c_in_a_step_is_recorded_and_not_done(ledger):
    run = ledger.begin("h100-pod", "rehearse", {})
    with pytest.raises(KeyboardInterrupt), ledger.step(run, "provision"):
        raise KeyboardInterrupt

    assert not ledger.is_done(run, "provision")
    assert ledger.steps(run)[0].detail == "interrupted"


def test_verdicts_and_decisions_of_a_second_judging_take_the_place_of_the_first(ledger):
    run = ledger.begin("h100-pod", "rehearse", {})
    ledger.record_verdicts(run, [verdict("train-001"), verdict("train-002")])
    again = [verdict("train-001", check, Outcome.PASS) for check in ("gpu.row_remap", "gpu.count")]
    ledger.record_verdicts(run, [*again, verdict("train-001", "gpu.ecc")])
    ledger.record_decisions(
        run, [Decision(node="train-001", accepted=False, blocking=["gpu.row_remap"], reason="gpu.row_remap")]
    )

    events = ledger.history("train-001")

    assert [(e.kind, e.subject, e.outcome) for e in events] == [
        ("verdict", "gpu.ecc", "fail"),
        ("verdict", "gpu.row_remap", "pass"),
        ("verdict", "gpu.count", "pass"),
        ("decision", "gate", "refused"),
    ]
    assert ledger.history("train-002") == []


def test_verdicts_of_an_unknown_run_are_refused_whole(ledger):
    with pytest.raises(Exception, match="FOREIGN KEY"):
        ledger.record_verdicts("no-such-run", [verdict("train-001")])
    assert ledger.history("train-001") == []


def test_moments_are_utc_whatever_the_clock_says(url):
    plus_two = datetime.fromisoformat("2026-11-21T10:00:00+02:00")
    ledger = Ledger(url, lambda: plus_two)
    run = ledger.begin("h100-pod", "collect", {})

    assert run.startswith("20261121T080000Z-")
    assert ledger.runs("h100-pod", "collect")[0].started == START


def test_a_clock_without_time_zone_is_refused(url):
    with pytest.raises(Exception, match="time zone"):
        Ledger(url, lambda: datetime(2026, 11, 21)).begin("h100-pod", "collect", {})  # noqa: DTZ001


def test_the_file_is_in_wal_mode(url, ledger, tmp_path):
    with sqlite3.connect(tmp_path / "ledger.db") as raw:
        assert raw.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_full_disk_is_one_sentence(ledger, tmp_path):
    ledger.close()
    event.listen(ledger._engine, "connect", lambda connection, _: connection.execute("PRAGMA max_page_count = 1"))
    with pytest.raises(OutsideError, match=r"ledger.db cannot be used: database or disk is full; look at its disk"):
        ledger.begin("h100-pod", "rehearse", {"much": "x" * 100_000})
    with sqlite3.connect(tmp_path / "ledger.db") as raw:
        assert raw.execute("PRAGMA integrity_check").fetchone() == ("ok",)
