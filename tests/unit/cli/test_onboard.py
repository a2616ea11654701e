import json

import pytest

from rackwright import onboard
from rackwright.cli import main
from rackwright.model.inventory import HostRecap, Recap


def host(changed=0, failed=0, unreachable=0, why=""):
    return HostRecap(ok=9, changed=changed, failed=failed, unreachable=unreachable, first_failure=why)


@pytest.fixture
def run(monkeypatch, example_site, tmp_path, capsys):
    monkeypatch.setenv("RACKWRIGHT_BMC_USER", "user")
    monkeypatch.setenv("RACKWRIGHT_BMC_PASSWORD", "word")
    asked = {}

    def call(*words, **hosts):
        def play(inventory, workspace, on_event, **options):
            asked.update(options, hosts=list(inventory.hosts))
            on_event("onboard.task", {"host": "a", "role": "base", "task": "T", "status": "ok"})
            on_event("onboard.diff", {"host": "a", "task": "T", "diff": ["-old", "+new"]})
            return Recap(hosts=hosts, seconds=3.0, task_seconds={"base": 1.25})

        monkeypatch.setattr(onboard, "run", play)
        code = main.main(["onboard", str(example_site), "--work", str(tmp_path), *words])
        return code, capsys.readouterr(), asked

    return call


def test_a_good_run_shows_hosts_and_the_time_of_roles(run):
    code, said, asked = run("--nodes", "2", a=host(changed=3), b=host())
    assert code == 0
    assert asked["hosts"] == ["train-001", "train-002", "slurm-01", "ufm-01"]
    assert (asked["check"], asked["diff"]) == (False, False)
    assert "changed" in said.out
    assert "unchanged" in said.out
    assert "1.2" in said.out
    assert "2 of 2 hosts are as declared, 1 of them changed" in said.err


def test_a_failed_host_closes_with_1_and_says_why(run):
    code, said, _ = run("--nodes", "2", a=host(failed=1, why="Install: no [such] package"), b=host(unreachable=1))
    assert code == 1
    assert "Install: no [such] package" in said.out
    assert "unreachable" in said.out
    assert "0 of 2 hosts are as declared, 0 of them changed; not as declared: a, b" in said.err


def test_a_check_with_differences(run):
    code, said, asked = run("--nodes", "train-003", "--check", "--diff", a=host(changed=1))
    assert code == 0
    assert (asked["check"], asked["diff"], asked["hosts"]) == (True, True, ["train-003"])
    assert "a: T\n-old\n+new\n" in said.out
    assert "1 of 1 hosts would change" in said.err


def test_json_is_the_recap_and_nothing_else(run):
    code, said, _ = run("--format", "json", "--nodes", "1", a=host(changed=3))
    assert code == 0
    assert json.loads(said.out)["hosts"]["a"]["changed"] == 3
    assert said.err == ""


def test_an_unknown_node_is_wrong_usage(run):
    code, said, asked = run("--nodes", "train-999")
    assert code == 2
    assert "train-999" in said.err
    assert not asked
