import pytest

from rackwright.onboard import results
from rackwright.onboard.play_results import PlayResults


def ended(kind, host="a", task="Do it", role="base", result=None, start="10:00:00", end="10:00:01", **more):
    data = {"host": host, "task": task, "role": role, "play": "main", "res": result or {}, **more}
    data |= {"start": f"2026-11-21T{start}", "end": f"2026-11-21T{end}"}
    return {"event": f"runner_on_{kind}", "event_data": data}


def stats(**counts):
    return {"event": "playbook_on_stats", "event_data": counts}


@pytest.fixture
def events():
    return []


@pytest.fixture
def play(events):
    def replay(*sequence, hosts=("a",)):
        results = PlayResults(lambda kind, data: events.append((kind, data)), "main", ["Do it"])
        for event in sequence:
            assert results.handle(event)
        assert results.complete
        return results.recap(5.0, hosts)

    return replay


def test_counts_are_ansibles_own(play):
    recap = play(
        ended("ok"), stats(ok={"a": 7}, changed={"a": 2}, dark={"b": 1}, failures={"c": 1}), hosts=("a", "b", "c")
    )
    assert (recap.hosts["a"].ok, recap.hosts["a"].changed) == (7, 2)
    assert recap.hosts["b"].unreachable == 1
    assert recap.hosts["c"].failed == 1
    assert not recap.good


def test_good_means_every_host(play):
    assert play(ended("ok"), stats(ok={"a": 1})).good
    assert not play(ended("ok"), stats(ok={"a": 1}), hosts=("a", "b")).good


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
        ({"msg": "Task failed: Missing sudo password"}, f"Missing sudo password: {results.NO_PASSWORD}"),
        ({"msg": "error occurred on host vm: sudo password is required"}, f"error occurred on host vm: sudo password is required: {results.NO_PASSWORD}"),
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
    recap = play(ended("failed", host="a", task="Refuse"), stats(failures={"a": 1}), hosts=("a", "b"))
    assert recap.hosts["b"].failed == 1
    assert recap.hosts["b"].first_failure == "not touched: the same rule stopped a"


def test_a_host_that_only_served_to_validate_is_not_as_declared(play):
    recap = play(
        ended("ok", host="a", play="Validate base"),
        ended("failed", host="b", play="Validate slurm", task="Refuse", result={"msg": "why"}),
        stats(ok={"a": 3}, failures={"b": 1}),
        hosts=("a", "b"),
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


def test_progress_and_differences_are_told_as_they_happen(play, events):
    play(
        {"event": "playbook_on_play_start", "event_data": {"play": "First"}},
        ended("ok", result={"changed": True, "diff": {"before": "a\n", "after": "b\n"}}),
        ended("unreachable", host="b", task="Facts", result={"msg": "timed out"}),
        stats(ok={"a": 1}),
    )
    assert [kind for kind, _ in events] == [
        "onboard.play", "onboard.task", "onboard.role", "onboard.diff", "onboard.task", "onboard.role",
    ]  # fmt: skip
    assert events[0][1] == {"play": "First"}
    assert events[1][1] == {"host": "a", "role": "base", "task": "Do it", "status": "ok", "act": True}
    assert events[2][1] == {
        "host": "a", "role": "base", "task": "Do it", "status": "ok", "seconds": 1.0, "changed": ("Do it",), "message": "",
    }  # fmt: skip
    assert (events[5][1]["status"], events[5][1]["message"]) == ("unreachable", "timed out")


def act(host="a", kind="ok", roles=None, **result):
    return ended(kind, host=host, task="Configure", role="", result={"roles": roles or {}, **result})


def test_an_act_counts_for_each_role_that_speaks_in_it(play, events):
    recap = play(
        act(roles={"base": {"seconds": 0.5, "changed": ["/etc/hosts"]}, "nccl": {"seconds": 0.1, "changed": []}}, changed=True),
        act(roles={"base": {"seconds": 0.25, "changed": ["unit chrony"]}}, changed=True),
        act(host="b", roles={"base": {"seconds": 3.0, "changed": []}}),
        stats(ok={"a": 2, "b": 1}, changed={"a": 2}),
        hosts=("a", "b"),
    )  # fmt: skip
    assert recap.hosts["a"].roles["base"].model_dump() == {"seconds": 0.75, "changed": ("/etc/hosts", "unit chrony")}
    assert recap.task_seconds == {"base": 3.0, "nccl": 0.1}  # of the slowest host, and none for the play as a whole
    reported = [(data["host"], data["role"], data["seconds"]) for kind, data in events if kind == "onboard.role"]
    assert reported == [("a", "base", 0.5), ("a", "nccl", 0.1), ("a", "base", 0.25), ("b", "base", 3.0)]


def test_an_act_without_a_role_to_speak_for_says_nothing(play, events):
    recap = play(act(roles={}), stats(ok={"a": 1}))
    assert recap.hosts["a"].roles == {}
    assert not [kind for kind, _ in events if kind == "onboard.role"]


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        ({"base": {"changed": []}, "dcgm": {"changed": []}}, {"base": "", "dcgm": "no disk"}),  # it stopped at the last one
        ({"base": {"problems": []}, "dcgm": {"problems": ["off"]}, "nccl": {}}, {"base": "", "dcgm": "off", "nccl": ""}),
    ],
)  # fmt: skip
def test_a_failed_act_blames_the_role_that_failed(play, events, roles, expected):
    play(act(kind="failed", roles=roles, msg="no disk"), stats(failures={"a": 1}))
    assert {data["role"]: data["message"] for kind, data in events if kind == "onboard.role"} == expected


def test_a_host_that_needs_a_reboot_says_why(play):
    facts = {"rackwright_reboot_reasons": ["kernel: 6.1.0-40 runs"]}
    recap = play(
        act(ansible_facts=facts), act(host="b", ansible_facts={}), stats(ok={"a": 1, "b": 1}), hosts=("a", "b")
    )
    assert (recap.hosts["a"].reboot, recap.hosts["a"].status) == (("kernel: 6.1.0-40 runs",), "reboot needed")
    assert (recap.hosts["b"].reboot, recap.hosts["b"].good, recap.good) == ((), True, False)


def test_a_host_that_was_rebooted_needs_none(play):
    facts = {"rackwright_reboot_reasons": ["nouveau is loaded"]}
    recap = play(act(ansible_facts=facts), ended("ok", result={"rebooted": True}), stats(ok={"a": 2}))
    assert (recap.hosts["a"].reboot, recap.hosts["a"].rebooted, recap.good) == ((), True, True)


def test_a_host_that_still_needs_a_reboot_after_one_says_so(play):
    facts = {"rackwright_reboot_reasons": ["nouveau is loaded"]}
    recap = play(ended("ok", result={"rebooted": True}), act(ansible_facts=facts), stats(ok={"a": 2}))
    assert (recap.hosts["a"].reboot, recap.hosts["a"].status, recap.good) == (("nouveau is loaded",), "failed", False)


def test_a_refused_reboot_is_no_other_failure(play):
    facts = {"rackwright_reboot_reasons": ["nouveau is loaded"]}
    recap = play(act(ansible_facts=facts), ended("failed", task="Ask", result={"msg": "no"}), stats(failures={"a": 1}))
    assert (recap.hosts["a"].status, recap.hosts["a"].broken, recap.good) == ("reboot needed", False, False)


def test_a_host_that_was_refused_was_never_touched(play):
    recap = play(ended("failed", play="Validate", task="Refuse"), stats(failures={"a": 1}))
    assert (recap.hosts["a"].attempts, recap.hosts["a"].broken) == (0, True)


def test_workers_are_counted_together():
    results = PlayResults(lambda kind, data: None, "main")
    for host in ("a", "b"):
        results.handle(ended("ok", host=host))
        results.handle(stats(ok={host: 3}, changed={host: 1}))
    results.lost("c", "worker: Killed", unreachable=False)
    results.lost("d", "Connection timed out", unreachable=True)
    recap = results.recap(1.0, "abcd")
    assert [host.status for host in recap.hosts.values()] == ["changed", "changed", "failed", "unreachable"]
    assert recap.hosts["d"].first_failure == "Connection timed out"
    assert results.counted("a")
    assert not results.counted("e")


def test_that_a_task_begins_is_not_kept():
    results = PlayResults(lambda kind, data: None, "main")
    assert not results.handle(ended("start"))
    assert results.handle(ended("ok"))


def test_a_run_without_stats_is_not_complete():
    results = PlayResults(lambda kind, data: None, "main")
    results.handle(ended("ok"))
    assert not results.complete


def test_a_host_that_the_play_leaves_as_it_is_has_done_with_all_acts():
    text = []
    results = PlayResults(lambda kind, data: text.append((kind, data)), "main", ["Look", "Install", "Verify"])
    observed = {"as_declared": True, "roles": {"base": {"seconds": 0.1, "changed": []}}}
    results.handle(ended("ok", task="Look", result=observed))
    results.handle(ended("ok", host="b", task="Look", result={"roles": {}}))
    acts = [(data["host"], data["task"]) for kind, data in text if kind == "onboard.task" and data["act"]]
    assert sorted(acts) == [("a", "Install"), ("a", "Look"), ("a", "Verify"), ("b", "Look")]
