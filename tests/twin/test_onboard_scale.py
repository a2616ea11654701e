"""Worker mode, waves, busy nodes and reboots on a twin of two nodes with their Slurm controller."""

import shlex

import pytest

from tests.patience import PATIENCE, until
from tests.twin.onboarding import Onboarding

pytestmark = [pytest.mark.twin, pytest.mark.slurm]

NODES = ("train-001", "train-002")
REASON = "rackwright: {}, acceptance pending"
KILLED = """
{command} >/dev/null 2>&1 & pid=$!
for look in $(seq 6000); do ssh train-001 test -d /run/rackwright/worker/project && break; sleep 0.1; done
kill -9 $pid
for look in $(seq 6000); do ssh train-001 test -e /run/rackwright/worker || exit 0; sleep 0.1; done
exit 1
"""
CANCELLED = """
until ssh slurm-01 sinfo -h -n train-001 -o %E | grep -q 'waits for its jobs'; do sleep 0.2; done
ssh slurm-01 scancel -u acceptance
"""
"""The job ends once its end is waited for."""


@pytest.fixture
def drifted(onboarding):
    def drift(*names: str) -> None:
        for name in names:
            onboarding.on(name, "echo '# drifted' >> /etc/nccl.conf")

    return drift


@pytest.mark.parametrize("mode", ["worker", "push"])
def test_what_workers_brought_about_is_what_both_modes_want(onboarding, mode):
    assert set(onboarding.status("--mode", mode).values()) == {"unchanged"}


def test_a_node_needs_nothing_of_ours_but_the_bundle(onboarding):
    assert len(onboarding.on("train-001", "ls -d /opt/rackwright/worker/*/").split()) == 1
    assert onboarding.on("train-001", "ls -A /run/rackwright") == "worker.lock"


def test_to_verify_only_looks(onboarding):
    words = ("--verify", "--roles", "nccl", "--nodes", "train-001", "--retries", "0")
    assert onboarding.status(*words) == {"train-001": "unchanged"}
    onboarding.on("train-001", "cp -p /etc/nccl.conf /root/kept; : > /etc/nccl.conf")
    code, recap = onboarding.run(*words)
    assert (code, recap["hosts"]["train-001"]["status"]) == (1, "failed")
    assert "nccl" in recap["hosts"]["train-001"]["first_failure"]
    assert onboarding.on("train-001", "wc -c < /etc/nccl.conf") == "0"
    onboarding.on("train-001", "cp -p /root/kept /etc/nccl.conf")


def test_a_worker_whose_controller_is_killed_ends_and_the_next_run_finishes(onboarding, drifted):
    drifted("train-001")
    command = onboarding.command("--mode", "worker", "--nodes", "train-001", "--roles", "nccl")
    onboarding.twin.say(f"bash -c {shlex.quote(KILLED.format(command=command))}")
    # The worker removes its folder, and then it ends.
    until(lambda: onboarding.on("train-001", "pgrep -f '[s]tart.py ansible' || echo none") == "none")
    assert onboarding.status("--mode", "worker", "--nodes", "train-001", "--roles", "nccl")["train-001"] in (
        "changed", "unchanged",
    )  # fmt: skip
    assert "drifted" not in onboarding.on("train-001", "cat /etc/nccl.conf")


def test_a_canary_that_fails_keeps_the_others_from_it(onboarding, drifted):
    drifted(*NODES)
    onboarding.on(
        "train-001", "chattr +i /etc/nccl.conf 2>/dev/null || mount --bind -o ro /etc/nccl.conf /etc/nccl.conf"
    )
    code, recap = onboarding.run("--canary", "--roles", "nccl", "--retries", "0")
    onboarding.on("train-001", "chattr -i /etc/nccl.conf 2>/dev/null; umount /etc/nccl.conf 2>/dev/null || true")
    assert code == 1
    assert [(wave["name"], wave["bad"]) for wave in recap["waves"]] == [("control", 0), ("canary", 1)]
    assert recap["hosts"]["train-002"]["first_failure"].startswith("not touched: 1 of 1 hosts of wave canary failed")
    assert "drifted" in onboarding.on("train-002", "cat /etc/nccl.conf")
    assert set(onboarding.status("--roles", "nccl", "--nodes", "train-001,train-002").values()) == {"changed"}


def test_a_node_with_a_running_job_is_left_alone(onboarding, drifted):
    onboarding.resume(*NODES)
    job = onboarding.job("train-001")
    drifted(*NODES)
    code, recap = onboarding.run("--roles", "nccl")
    assert code == 1
    assert recap["hosts"]["train-001"]["busy"] == [f"job {job} of acceptance"]
    assert recap["hosts"]["train-002"]["status"] == "changed"
    assert "drifted" in onboarding.on("train-001", "cat /etc/nccl.conf")
    assert onboarding.node("train-001")[0] == "allocated"
    assert onboarding.status("--roles", "nccl", "--check")["train-001"] == "changed"


def test_the_end_of_a_job_is_waited_for_behind_a_drain_that_stays(onboarding):
    onboarding.twin.say(f"bash -c {shlex.quote(CANCELLED)} >/dev/null 2>&1 &")
    code, recap = onboarding.run("--roles", "nccl", "--nodes", "train-001", "--drain-wait", f"{PATIENCE:.0f}")
    assert (code, recap["hosts"]["train-001"]["status"]) == (0, "changed")
    assert onboarding.node("train-001") == ("drained", REASON.format("onboarding waits for its jobs"))


def test_a_reboot_needs_permission_and_a_drain_and_keeps_the_drain_of_an_operator(onboarding, tmp_path):
    onboarding.on("slurm-01", "scontrol update nodename=train-001 state=drain reason='operator: bad fan'")
    assert onboarding.node("train-002")[0] == "idle"
    site = tmp_path / "site"
    site.mkdir()
    text = (
        onboarding.site.joinpath("site.yaml").read_text() if onboarding.site.is_dir() else onboarding.site.read_text()
    )
    (site / "site.yaml").write_text(
        text.replace("software:\n", "software:\n  options: {boot_cmdline_extra: [panic=7]}\n")
    )
    changed = Onboarding(onboarding.twin, site, onboarding.work)
    names = ",".join(NODES)

    code, recap = changed.run("--nodes", names)
    assert code == 1
    assert {host["status"] for host in recap["hosts"].values()} == {"reboot needed"}
    assert "panic=7" in recap["hosts"]["train-002"]["first_failure"]
    assert "--reboot" in recap["hosts"]["train-002"]["first_failure"]
    assert onboarding.node("train-002")[0] == "idle"

    code, recap = changed.run("--nodes", names, "--reboot")
    assert code == 0, recap
    assert {name: (host["rebooted"], host["attempts"]) for name, host in recap["hosts"].items()} == {
        "train-001": (True, 1), "train-002": (True, 2),
    }  # fmt: skip
    assert "panic=7" in onboarding.on("train-002", "cat /proc/cmdline")
    assert onboarding.node("train-001") == ("drained", "operator: bad fan")
    assert onboarding.node("train-002") == ("drained", REASON.format("reboot for onboarding"))


def test_what_every_role_did_is_in_the_ledger(onboarding):
    from rackwright.ledger import Ledger

    ledger = Ledger(f"sqlite:///{onboarding.work / 'ledger.db'}")
    first = ledger.runs("h100-pod", "onboard")[-1]
    events = ledger.roles(first.id)
    assert {event.node for event in events} >= {*NODES, "slurm-01"}
    assert any(event.role == "nccl" and "/etc/nccl.conf" in event.changed for event in events)
    assert any(event.kind == "role" for event in ledger.history("train-001"))
    ledger.close()


def test_a_host_that_hangs_does_not_stop_the_others(onboarding):
    onboarding.twin.run("ssh train-002 'kill -STOP $(cat /run/sshd.pid)'")
    code, recap = onboarding.run("--roles", "base", "--retries", "0")
    assert code == 1
    assert recap["hosts"]["train-002"]["unreachable"] == 1
    assert "timed out" in recap["hosts"]["train-002"]["first_failure"]
    assert recap["hosts"]["train-001"]["failed"] == recap["hosts"]["slurm-01"]["failed"] == 0
    assert recap["hosts"]["train-001"]["status"] == "unchanged"
    assert recap["seconds"] < PATIENCE
