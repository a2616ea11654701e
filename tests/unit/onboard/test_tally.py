import pytest

from rackwright.onboard.tally import Tally


def ended(kind, host="a", task="Do it", role="base", result=None, start="10:00:00", end="10:00:01", **more):
    data = {"host": host, "task": task, "role": role, "play": "main", "res": result or {}, **more}
    data |= {"start": f"2026-11-21T{start}", "end": f"2026-11-21T{end}"}
    return {"event": f"runner_on_{kind}", "event_data": data}


def stats(**counts):
    return {"event": "playbook_on_stats", "event_data": counts}


@pytest.fixture
def said():
    return []


@pytest.fixture
def play(said):
    def replay(*events, asked=("a",)):
        tally = Tally(lambda kind, data: said.append((kind, data)), "main")
        for event in events:
            assert tally.handle(event)
        return tally.recap(5.0, asked)

    return replay


def test_counts_are_ansibles_own(play):
    recap = play(
        ended("ok"), stats(ok={"a": 7}, changed={"a": 2}, dark={"b": 1}, failures={"c": 1}), asked=("a", "b", "c")
    )
    assert (recap.hosts["a"].ok, recap.hosts["a"].changed) == (7, 2)
    assert recap.hosts["b"].unreachable == 1
    assert recap.hosts["c"].failed == 1
    assert not recap.good


def test_good_means_every_host(play):
    assert play(ended("ok"), stats(ok={"a": 1})).good
    assert not play(ended("ok"), stats(ok={"a": 1}), asked=("a", "b")).good


def test_the_first_failure_of_a_host_is_kept(play):
    recap = play(
        ended("failed", task="Install", result={"msg": "no such\n  package"}),
        ended("failed", task="Later", result={"msg": "follows from it"}),
        stats(failures={"a": 1}),
    )
    assert recap.hosts["a"].first_failure == "Install: no such package"


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        ({"msg": "All items completed", "results": [{"failed": False}, {"failed": True, "msg": "the second"}]}, "the second"),
        ({"msg": "MODULE FAILURE", "module_stderr": "Traceback\nOSError: disk full\n"}, "OSError: disk full"),
        ({"msg": "Task failed: Connection timed out."}, "Connection timed out."),
        ({"censored": "hidden by no_log"}, "hidden by no_log"),
        ({}, "no message"),
    ],
)  # fmt: skip
def test_the_reason_is_found_where_modules_hide_it(play, result, reason):
    recap = play(ended("failed", task="T", result=result), stats(failures={"a": 1}))
    assert recap.hosts["a"].first_failure == f"T: {reason}"


def test_an_ignored_failure_is_none(play):
    recap = play(ended("failed", ignore_errors=True), stats(ok={"a": 1}))
    assert recap.hosts["a"].first_failure == ""


def test_a_host_that_no_task_reached_is_not_as_declared(play):
    recap = play(ended("failed", host="a", task="Refuse"), stats(failures={"a": 1}), asked=("a", "b"))
    assert recap.hosts["b"].failed == 1
    assert recap.hosts["b"].first_failure == "not touched: the same rule stopped a"


def test_a_host_that_only_served_to_validate_is_not_as_declared(play):
    recap = play(
        ended("ok", host="a", play="Validate base"),
        ended("failed", host="b", play="Validate slurm", task="Refuse", result={"msg": "why"}),
        stats(ok={"a": 3}, failures={"b": 1}),
        asked=("a", "b"),
    )
    assert recap.hosts["a"].first_failure == "not touched: the same rule stopped b"
    assert recap.hosts["b"].first_failure == "Refuse: why"


def test_time_of_a_role_is_wall_time_not_the_sum_over_hosts(play):
    recap = play(
        ended("ok", host="a", start="10:00:00", end="10:00:04"),
        ended("ok", host="b", start="10:00:02", end="10:00:05"),
        ended("ok", host="a", start="10:00:08", end="10:00:09"),
        ended("skipped", host="b", start="10:00:20", end="10:00:30"),
        stats(ok={"a": 2, "b": 1}),
    )
    assert recap.task_seconds == {"base": 6.0}


def test_progress_and_differences_are_told_as_they_happen(play, said):
    play(
        {"event": "playbook_on_play_start", "event_data": {"play": "First"}},
        ended("ok", result={"diff": {"before": "a\n", "after": "b\n"}}),
        ended("unreachable", host="b", task="Facts"),
        stats(ok={"a": 1}),
    )
    assert said[0] == ("onboard.play", {"play": "First"})
    assert said[1] == ("onboard.task", {"host": "a", "role": "base", "task": "Do it", "status": "ok"})
    assert said[2][0] == "onboard.diff"
    assert said[3][1]["status"] == "unreachable"


def test_a_run_without_stats_is_not_complete():
    tally = Tally(lambda kind, data: None, "main")
    tally.handle(ended("ok"))
    assert not tally.complete
