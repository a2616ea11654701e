from types import SimpleNamespace

import pytest

from rackwright import onboard
from rackwright.base.errors import OutsideError
from rackwright.model.inventory import HostRecap, Recap
from rackwright.onboard import campaign, guards, runner
from rackwright.onboard.drain import HookGuard, Nobody, SlurmGuard
from rackwright.onboard.options import OnboardOptions
from rackwright.onboard.players import inventory_of, relabel_events, speaking
from rackwright.onboard.rollout import Turn

NODES = ["train-001", "train-002", "slurm-01", "ufm-01"]


@pytest.fixture
def places(example):
    return guards.places(example, NODES)


def bring(inventory, workspace, places, **options):
    return campaign.bring_hosts(
        inventory, workspace, places, OnboardOptions(**options), Nobody(), lambda kind, data: None
    )


def test_places_say_where_nodes_stand_and_who_serves_the_site(places):
    assert {place.node: place.control for place in places} == {
        "train-001": False, "train-002": False, "slurm-01": True, "ufm-01": True,
    }  # fmt: skip
    assert (places[0].pool, places[0].sku, places[0].scalable_unit) == ("train", "dgx-h100", 1)


def test_one_host_of_each_kind_is_looked_at_first(places):
    assert set(campaign.kinds(places)) >= {"train-001", "slurm-01"}
    assert "train-002" not in campaign.kinds(places)


def test_what_cannot_work_is_refused_before_the_first_wave(inventory, workspace, places, monkeypatch):
    monkeypatch.setattr(runner, "run_playbook", lambda *_, **__: pytest.fail("a host was touched"))
    wrong = inventory.model_copy(update={"variables": {**inventory.variables, "slurm_config_controllers": []}})
    recap = bring(wrong, workspace, places, canary=True)
    assert all(host.failed and not host.attempts for host in recap.hosts.values())
    assert list(recap.hosts) == ["slurm-01", "ufm-01", "train-001", "train-002"]
    message = [host.first_failure for host in recap.hosts.values()]
    assert any("one controller" in text for text in message)
    assert any(text.startswith("not touched: what") for text in message)


def test_a_run_in_waves_that_is_not_refused_is_played(inventory, workspace, places, monkeypatch):
    turns = []

    def run(inventory, workspace, on_event, *, check, diff):
        turns.append(tuple(inventory.hosts))
        hosts = {name: HostRecap(ok=1, changed=0, unreachable=0, failed=0) for name in inventory.hosts}
        return Recap(hosts=hosts, seconds=1.0, task_seconds={})

    monkeypatch.setattr(runner, "run_playbook", run)
    assert bring(inventory, workspace, places, canary=True).good
    assert turns == [("slurm-01", "ufm-01"), ("train-001",), ("train-002",)]
    turns.clear()
    assert bring(inventory, workspace, places).good
    assert turns == [tuple(NODES)]  # one wave needs no look before


def test_every_act_of_the_play_is_known_by_name():
    assert onboard.count_acts() > 3


def test_the_inventory_of_a_turn_says_what_is_allowed_and_who_is_busy(inventory):
    turn = Turn(("train-001", "train-002"), {"train-002": ("job 7 of eve",)}, reboot=frozenset({"train-001"}))
    result = inventory_of(turn, inventory, OnboardOptions(roles=("base",), parts=("verify",)))
    assert list(result.hosts) == ["train-001", "train-002"]
    assert not any("slurm-01" in names for names in result.groups.values())
    assert result.groups["nvidia_driver"] == ["train-001", "train-002"]
    assert result.variables["rackwright_reboot"] == "never"
    assert result.hosts["train-001"]["rackwright_reboot"] == "allowed"
    assert "rackwright_reboot" not in result.hosts["train-002"]
    assert (result.variables["rackwright_running_jobs"], result.hosts["train-002"]["rackwright_running_jobs"]) == (
        [],
        ["job 7 of eve"],
    )
    assert (result.variables["rackwright_only_roles"], result.variables["rackwright_parts"]) == (["base"], ["verify"])


def test_what_was_not_asked_for_is_left_to_the_play(inventory):
    result = inventory_of(Turn(("train-001",)), inventory, OnboardOptions())
    assert not {"rackwright_only_roles", "rackwright_parts"} & set(result.variables)


def test_acts_that_are_played_again_are_no_progress():
    heard = []
    turn = Turn(("a",), alone=True)
    relabel_events(turn, lambda kind, data: heard.append(data["act"]))("onboard.task", {"act": True})
    relabel_events(Turn(("a",)), lambda kind, data: heard.append(data["act"]))("onboard.task", {"act": True})
    assert heard == [False, True]


def test_each_node_is_guarded_by_its_scheduler(example):
    result = guards.guard(example, NODES, lambda address: lambda argv: (127, "", ""), (), lambda text: None)
    assert isinstance(result._of["train-001"], SlurmGuard)
    assert isinstance(result._of["slurm-01"], Nobody)


def test_a_node_of_another_scheduler_has_the_hook():
    assert guards._scheduler(SimpleNamespace(role="accelerator", scheduler="kubernetes")) == "kubernetes"
    assert guards._scheduler(SimpleNamespace(role="slurm", scheduler="slurm")) == ""


def test_the_next_controller_is_asked_when_the_first_is_silent():
    def silent(argv):
        raise OutsideError("no answer")

    ask = guards._first_that_answers([silent, lambda argv: (0, "here", "")])
    assert ask(["squeue"]) == (0, "here", "")
    with pytest.raises(OutsideError):
        guards._first_that_answers([silent, silent])(["squeue"])


@pytest.mark.parametrize(
    ("command", "message"), [(["true"], ""), (["false"], "exit status 1"), (["no-such-program"], "No such file")]
)
def test_a_hook_is_a_command_of_this_machine(command, message):
    assert message in HookGuard(command, guards._run_here).drain(["a"], "reboot", 0)["a"]


def test_one_host_of_each_kind_speaks_for_the_others(inventory):
    hosts = {name: host.get("rackwright_speaks", True) for name, host in speaking(inventory).hosts.items()}
    assert [name for name, speaks in hosts.items() if speaks] == ["train-001", "slurm-01", "ufm-01"]
