import pytest

from rackwright.model.inventory import HostRecap, Recap, RoleRecap
from rackwright.onboard.options import OnboardOptions
from rackwright.onboard.rollout import roll_out
from rackwright.onboard.waves import Tolerance, Wave

OK = HostRecap(ok=9, changed=0, unreachable=0, failed=0)
CHANGED = HostRecap(
    ok=9, changed=2, unreachable=0, failed=0, roles={"base": RoleRecap(seconds=1, changed=("/etc/hosts",))}
)
FAILED = HostRecap(ok=2, changed=1, unreachable=0, failed=1, first_failure="Install: no such package")
SILENT = HostRecap(ok=0, changed=0, unreachable=1, failed=0, first_failure="timed out")
REFUSED = HostRecap(ok=0, changed=0, unreachable=0, failed=1, first_failure="not touched", attempts=0)
NEEDY = HostRecap(ok=5, changed=3, unreachable=0, failed=1, reboot=("kernel: old",), first_failure="Ask: reboot needed")
REBOOTED = HostRecap(ok=9, changed=1, unreachable=0, failed=0, rebooted=True)


class Site:
    """Hosts that answer one play after the other with prepared results."""

    def __init__(self, jobs=None, running_jobs=None, out=(), **answers):
        self.answers = {name: list(answer) for name, answer in answers.items()}
        self.jobs, self.kept, self.out = jobs or {}, running_jobs or {}, frozenset(out)
        self.turns, self.drained = [], []

    def play(self, turn):
        self.turns.append(turn)
        return Recap(hosts={n: self.answers[n].pop(0) for n in turn.hosts}, seconds=1.0, task_seconds={"base": 1.5})

    def running(self, nodes):
        return {name: self.jobs[name] for name in nodes if name in self.jobs}

    def free(self, nodes):
        return self.out & frozenset(nodes)

    def drain(self, nodes, why, wait_seconds):
        self.drained.append((list(nodes), why, wait_seconds))
        return {name: self.kept.get(name, "") for name in nodes}


@pytest.fixture
def events():
    return []


@pytest.fixture
def go(events):
    def call(site, *waves, **options):
        cut = [Wave(name, tuple(nodes)) for name, nodes in waves or [("all", list(site.answers))]]
        return roll_out(cut, site.play, OnboardOptions(**options), site, lambda kind, data: events.append((kind, data)))

    return call


def played(site):
    return [turn.hosts for turn in site.turns]


def test_waves_are_played_one_after_the_other(go, events):
    site = Site(a=[OK], b=[CHANGED], c=[OK])
    recap = go(site, ("control", "a"), ("r1", "bc"))
    assert played(site) == [("a",), ("b", "c")]
    assert [(wave.name, wave.hosts, wave.bad) for wave in recap.waves] == [("control", 1, 0), ("r1", 2, 0)]
    assert {name: host.wave for name, host in recap.hosts.items()} == {"a": "control", "b": "r1", "c": "r1"}
    assert recap.task_seconds == {"base": 3.0}
    assert (recap.good, recap.stopped) == (True, "")
    assert [kind for kind, _ in events] == ["onboard.wave", "onboard.wave"]


def test_failed_and_silent_hosts_are_played_once_more_alone(go):
    site = Site(a=[OK], b=[FAILED, CHANGED], c=[SILENT, SILENT])
    recap = go(site)
    assert played(site) == [("a", "b", "c"), ("b", "c")]
    assert (recap.hosts["b"].status, recap.hosts["b"].changed, recap.hosts["b"].attempts) == ("changed", 3, 2)
    assert recap.hosts["b"].first_failure == ""
    assert (recap.hosts["c"].status, recap.hosts["c"].attempts) == ("unreachable", 2)


@pytest.mark.parametrize(("retries", "plays"), [(0, 1), (1, 2), (3, 4)])
def test_as_many_retries_as_asked(go, retries, plays):
    site = Site(a=[FAILED] * 4)
    go(site, retries=retries)
    assert len(site.turns) == plays


def test_what_was_refused_before_it_was_touched_is_not_tried_again(go):
    site = Site(a=[REFUSED])
    assert not go(site).good
    assert len(site.turns) == 1


def test_too_many_failures_stop_the_run_and_the_rest_is_not_touched(go):
    site = Site(a=[FAILED] * 2, b=[SILENT] * 2, c=[OK])
    recap = go(site, ("r1", "ab"), ("r2", "c"), tolerance=Tolerance(hosts=1))
    assert "2 of 2 hosts of wave r1 failed" in recap.stopped
    assert recap.hosts["c"].first_failure == f"not touched: {recap.stopped}"
    assert (recap.hosts["c"].attempts, recap.hosts["c"].good, len(recap.waves)) == (0, False, 1)


def test_a_failure_that_a_wave_bears_does_not_stop_the_run(go):
    site = Site(a=[FAILED] * 2, b=[OK], c=[OK])
    recap = go(site, ("r1", "ab"), ("r2", "c"), tolerance=Tolerance(hosts=1))
    assert (recap.stopped, recap.hosts["c"].status) == ("", "unchanged")


def test_a_node_with_jobs_is_left_alone_and_not_drained(go):
    site = Site(jobs={"b": ("job 7 of eve",)}, a=[OK], b=[])
    recap = go(site)
    assert (played(site), site.drained) == ([("a",)], [])
    assert (recap.hosts["b"].status, recap.hosts["b"].busy, recap.good) == ("busy", ("job 7 of eve",), False)
    assert "left alone: job 7 of eve" in recap.hosts["b"].first_failure


@pytest.mark.parametrize("harmless", [{"check": True}, {"parts": ("verify",)}])
def test_a_check_plays_nodes_with_jobs_and_tells_the_roles_of_them(go, harmless):
    site = Site(jobs={"b": ("job 7 of eve",)}, a=[OK], b=[OK])
    assert go(site, **harmless).good
    assert (played(site), site.turns[0].jobs) == ([("a", "b")], {"b": ("job 7 of eve",)})


def test_jobs_are_waited_for_when_asked_behind_a_drain(go):
    site = Site(
        jobs={"b": ("job 7 of eve",), "c": ("job 8 of eve",)},
        running_jobs={"c": "job 8 of eve still running"},
        a=[OK],
        b=[OK],
        c=[],
    )
    recap = go(site, drain_wait_seconds=60)
    assert site.drained == [(["b", "c"], "onboarding waits for its jobs", 60)]
    assert played(site) == [("a", "b")]
    assert recap.hosts["c"].busy == ("job 8 of eve still running",)


def test_scratch_is_wiped_on_nodes_that_are_out_of_service_alone(go):
    site = Site(out=("a",), running_jobs={"c": "job 8 of eve still running"}, a=[FAILED, OK], b=[OK], c=[])
    recap = go(site, wipe_scratch=True, drain_wait_seconds=60)
    assert site.drained == [(["b", "c"], "its scratch is wiped", 60)]
    assert [(turn.hosts, turn.wipe) for turn in site.turns] == [(("a", "b"), {"a", "b"}), (("a",), {"a"})]
    assert recap.hosts["c"].busy == ("its scratch is not wiped while it serves: job 8 of eve still running",)


@pytest.mark.parametrize("options", [{}, {"wipe_scratch": True, "check": True}])
def test_nothing_is_wiped_unasked_or_in_a_check(go, options):
    site = Site(out=("a",), a=[OK])
    go(site, **options)
    assert (site.turns[0].wipe, site.drained) == (frozenset(), [])


def test_without_permission_a_node_that_needs_a_reboot_says_so_and_is_not_played_again(go):
    site = Site(a=[NEEDY])
    recap = go(site, tolerance=Tolerance(hosts=0))
    assert (len(site.turns), site.drained) == (1, [])
    assert (recap.hosts["a"].status, recap.good, recap.waves[0].bad) == ("reboot needed", False, 0)
    assert recap.hosts["a"].first_failure == "needs a reboot, which --reboot allows: kernel: old"


def test_with_permission_it_is_drained_and_played_once_more_with_the_right_to_reboot(go):
    site = Site(a=[NEEDY, REBOOTED], b=[OK])
    recap = go(site, reboot=True)
    assert site.drained == [(["a"], "reboot for onboarding", 0.0)]
    assert [(turn.hosts, turn.reboot) for turn in site.turns] == [(("a", "b"), frozenset()), (("a",), {"a"})]
    assert (recap.hosts["a"].rebooted, recap.hosts["a"].changed, recap.hosts["a"].good) == (True, 4, True)


def test_a_node_that_serves_nobody_yet_may_reboot_in_its_first_play(go):
    site = Site(out="ac", a=[REBOOTED], b=[OK], c=[FAILED, REBOOTED])
    recap = go(site, reboot=True)
    assert [(turn.hosts, turn.reboot) for turn in site.turns] == [(("a", "b", "c"), {"a", "c"}), (("c",), {"c"})]
    assert (site.drained, recap.hosts["a"].rebooted, recap.good) == ([], True, True)


def test_nobody_may_reboot_without_permission(go):
    site = Site(out="a", a=[OK])
    go(site)
    assert site.turns[0].reboot == frozenset()


def test_a_node_whose_jobs_go_on_is_not_rebooted(go):
    site = Site(running_jobs={"a": "job 7 of eve still running"}, a=[NEEDY])
    recap = go(site, reboot=True)
    assert len(site.turns) == 1
    assert recap.hosts["a"].first_failure.endswith("left running (kernel: old): job 7 of eve still running")


def test_no_second_reboot(go):
    again = NEEDY.model_copy(update={"rebooted": True, "first_failure": "after one reboot this is still so"})
    site = Site(a=[NEEDY, again])
    recap = go(site, reboot=True)
    assert len(site.turns) == 2
    assert (recap.hosts["a"].status, recap.hosts["a"].first_failure) == ("failed", "after one reboot this is still so")


def test_a_check_reboots_nothing(go):
    site = Site(a=[NEEDY])
    go(site, check=True, reboot=True)
    assert len(site.turns) == 1
