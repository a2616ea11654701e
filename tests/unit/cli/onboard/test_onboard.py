import json

import pytest

from rackwright import onboard
from rackwright.cli import main
from rackwright.model.inventory import HostRecap, Recap, WaveRecap
from rackwright.onboard import PullListening, Tolerance


def host(changed=0, failed=0, unreachable=0, why="", **more):
    return HostRecap(
        ok=9, changed=changed, failed=failed, unreachable=unreachable, first_failure=why, wave="all", **more
    )


@pytest.fixture
def run(monkeypatch, example_site, tmp_path, capsys):
    monkeypatch.setenv("RACKWRIGHT_BMC_USER", "user")
    monkeypatch.setenv("RACKWRIGHT_BMC_PASSWORD", "word")
    monkeypatch.setenv("RACKWRIGHT_MIRROR_KEY_SHA256", "0" * 64)
    brought = {}

    def call(*words, recap=None, **hosts):
        def bring(inventory, workspace, places, options, guard, on_event):
            brought.update(options=options, hosts=list(inventory.hosts), places=[place.node for place in places])
            on_event("onboard.task", {"host": "a", "role": "base", "task": "T", "status": "ok", "act": True})
            on_event("onboard.diff", {"host": "a", "task": "T", "diff": ["-old", "+new"]})
            outcome = {"task": "T", "seconds": 1.0, "changed": ("/etc/hosts",), "message": ""}
            on_event("onboard.role", {"host": "train-001", "role": "base", "status": "ok", **outcome})
            return recap or Recap(hosts=hosts, seconds=3.0, task_seconds={"base": 1.25})

        monkeypatch.setattr(onboard, "bring_hosts", bring)
        code = main.main(["onboard", str(example_site), "--work", str(tmp_path), *words])
        return code, capsys.readouterr(), brought

    return call


def test_a_good_run_shows_hosts_and_the_time_of_roles(run):
    code, printed, brought = run("--nodes", "2", a=host(changed=3), b=host())
    assert code == 0
    assert brought["hosts"] == ["train-001", "train-002", "slurm-01", "ufm-01"]
    assert set(brought["places"]) == set(brought["hosts"])
    assert brought["options"] == onboard.OnboardOptions()
    assert "changed" in printed.out
    assert "unchanged" in printed.out
    assert "1.2" in printed.out
    assert "2 of 2 hosts are as declared, 1 of them changed" in printed.err


def test_a_failed_host_closes_with_1_and_says_why(run):
    code, printed, _ = run("--nodes", "2", a=host(failed=1, why="Install: no [such] package"), b=host(unreachable=1))
    assert code == 1
    assert "Install: no [such] package" in printed.out
    assert "unreachable" in printed.out
    assert "0 of 2 hosts are as declared, 0 of them changed; not as declared: a, b" in printed.err


def test_a_check_with_differences(run):
    code, printed, brought = run("--nodes", "train-003", "--check", "--diff", a=host(changed=1))
    assert code == 0
    assert (brought["options"].check, brought["options"].diff, brought["hosts"]) == (True, True, ["train-003"])
    assert "a: T\n-old\n+new\n" in printed.out
    assert "1 of 1 hosts would change" in printed.err


def test_json_is_the_recap_and_nothing_else(run):
    code, printed, _ = run("--format", "json", "--nodes", "1", a=host(changed=3))
    assert code == 0
    recap = json.loads(printed.out)["hosts"]["a"]
    assert (recap["changed"], recap["status"], recap["wave"], recap["attempts"]) == (3, "changed", "all", 1)
    assert printed.err == ""


def test_an_unknown_node_is_wrong_usage(run):
    code, printed, brought = run("--nodes", "train-999")
    assert code == 2
    assert "train-999" in printed.err
    assert not brought


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--mode", "worker"], {"mode": "worker"}),
        (
            ["--mode", "pull", "--listen", "10.0.0.5:8443"],
            {"mode": "pull", "listening": PullListening("10.0.0.5", 8443)},
        ),
        (
            ["--mode", "pull", "--listen", "[fd00::5]:8443", "--enrol"],
            {"mode": "pull", "listening": PullListening("fd00::5", 8443), "enrol": True},
        ),
        (["--wave-size", "all"], {"wave_size": None}),
        (["--wave-size", "16", "--no-canary"], {"wave_size": 16, "canary": False}),
        (["--canary"], {"canary": True}),
        (["--max-failed", "3"], {"tolerance": Tolerance(hosts=3)}),
        (["--max-failed", "25%"], {"tolerance": Tolerance(percent=25)}),
        (["--max-failed", "0%"], {"tolerance": Tolerance(hosts=0)}),
        (["--retries", "0"], {"retries": 0}),
        (["--verify", "--roles", "base, nccl"], {"parts": ("verify",), "roles": ("base", "nccl")}),
        (["--reboot", "--drain-wait", "600"], {"reboot": True, "drain_wait_seconds": 600.0}),
        (["--nodes", "train-001", "--wipe-scratch"], {"wipe_scratch": True}),
        (["--drain-hook", "env drain '--timeout=9s'"], {"drain_hook": ("env", "drain", "--timeout=9s")}),
    ],
)
def test_the_words_of_the_command_are_the_options_of_the_run(run, words, expected):
    code, _, brought = run("--nodes", "1", *words, a=host())
    assert code == 0
    assert brought["options"] == onboard.OnboardOptions(**expected)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--wave-size", "0"], "--wave-size 0: give a whole number, 1 or more"),
        (["--mode", "pull"], "give the address at which nodes reach this machine with --listen ADDRESS:PORT"),
        (["--mode", "worker", "--listen", "10.0.0.5:8443"], "--listen is of --mode pull, and this is --mode worker"),
        (["--enrol"], "--enrol is of --mode pull, and this is --mode push"),
        (["--mode", "pull", "--listen", "control:8443"], "give an address and a port of this machine"),
        (["--mode", "pull", "--listen", "10.0.0.5:99999"], "99999 is no port"),
        (["--mode", "pull", "--listen", "0.0.0.0:8443"], "nodes cannot call that"),
        (["--max-failed", "101%"], "give 0% to 100%"),
        (["--max-failed", "some"], "--max-failed some"),
        (["--retries", "-1"], "--retries"),
        (["--drain-wait", "5m"], "--drain-wait 5m"),
        (["--drain-hook", "kubectl '"], "No closing quotation"),
        (["--drain-hook", "/nonexistent/hook --now"], "there is no such command here"),
        (["--drain-hook", ""], "there is no such command here"),
        (["--roles", "nvidia_drivr"], "did you mean nvidia_driver?"),
        (["--roles", ","], "names no role; leave the option out for all of them"),
        (["--verify", "--check"], "leave --check and --reboot out"),
        (["--verify", "--reboot"], "leave --check and --reboot out"),
        (["--wipe-scratch"], "name the nodes whose scratch is to be lost with --nodes"),
        (["--wipe-scratch", "--nodes", "train-001", "--verify"], "leave --wipe-scratch out"),
        (["--wipe-scratch", "--nodes", "train-001", "--roles", "base"], "role local_nvme does it"),
    ],
)
def test_words_that_make_no_sense_are_wrong_usage(run, words, message):
    code, printed, brought = run("--nodes", "1", *words, a=host())
    assert (code, brought) == (2, {})
    assert message in printed.err


def test_what_roles_did_is_in_the_ledger(run, tmp_path):
    from rackwright.ledger import Ledger

    run("--nodes", "1", a=host())
    ledger = Ledger(f"sqlite:///{tmp_path / 'ledger.db'}")
    onboarding = ledger.runs("h100-pod", "onboard")[0]
    assert [(role.role, role.changed) for role in ledger.roles(onboarding.id)] == [("base", ("/etc/hosts",))]
    assert (onboarding.options["mode"], onboarding.options["reboot"]) == ("push", False)
    ledger.close()


def test_a_busy_node_and_one_that_needs_a_reboot_are_not_as_declared(run):
    busy = host(why="left alone: job 7 of eve", busy=("job 7 of eve",))
    needy = host(failed=1, why="needs a reboot, which --reboot allows: kernel", reboot=("kernel",))
    code, printed, _ = run("--nodes", "2", a=busy, b=needy)
    assert code == 1
    for word in ("busy", "reboot needed", "job 7 of eve", "--reboot allows"):
        assert word in printed.out


def test_of_many_hosts_only_those_that_are_not_as_declared_have_a_line(run):
    hosts = {f"n{number:03}": host() for number in range(99)} | {"bad": host(failed=1, why="Install: no disk")}
    code, printed, _ = run("--nodes", "1", **hosts)
    assert code == 1
    assert ("n001" in printed.out, "bad: Install: no disk" in printed.out) == (False, True)
    assert "1 failed, 99 unchanged" in printed.out


def test_a_run_that_stopped_says_so_once(run):
    rest = {f"r{number}": HostRecap(ok=0, changed=0, unreachable=0, failed=1, first_failure="not touched: x", attempts=0) for number in range(60)}  # fmt: skip
    waves = (
        WaveRecap(name="canary", hosts=1, bad=1, seconds=1.0),
        WaveRecap(name="train-r01", hosts=60, bad=0, seconds=1.0),
    )
    recap = Recap(
        hosts={"a": host(failed=1, why="Install: no disk"), **rest}, seconds=1, task_seconds={}, waves=waves,
        stopped="1 of 1 hosts of wave canary failed, more than may",
    )  # fmt: skip
    code, printed, _ = run("--nodes", "1", recap=recap)
    assert code == 1
    assert printed.out.count("not touched") == 1 + 0 * len(rest)
    assert "60 hosts were not touched: 1 of 1 hosts of wave canary failed" in printed.out
    assert printed.err.count("not touched") == 1
