"""The gate on a real Slurm: controller, munge and two nodes on this machine, below one temporary folder."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from rackwright import gate
from rackwright.gate.scheduler import CHANGED, read
from rackwright.onboard.drain import DRAIN
from tests import build
from tests.patience import PATIENCE, until
from tests.ports import free_port

pytestmark = [pytest.mark.slurm, pytest.mark.skipif(os.geteuid() != 0, reason="slurmd needs root")]

CONF = """\
ClusterName=gate
SlurmctldHost=localhost
SlurmUser=root
SlurmctldPort={0}
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.sock
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
GresTypes=gpu
MpiDefault=none
NodeName=train-001 NodeHostname=localhost NodeAddr=127.0.0.1 Port={1} Gres=gpu:2 State=DRAIN Reason="rackwright: new"
NodeName=train-002 NodeHostname=localhost NodeAddr=127.0.0.1 Port={2} Gres=gpu:2 State=DRAIN Reason="rackwright: new"
PartitionName=train Nodes=ALL Default=YES State=UP
"""
NODES = ("train-001", "train-002")


def program(name: str) -> str:
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin") or name


@pytest.fixture(scope="module")
def slurm(tmp_path_factory) -> Iterator[gate.scheduler.Run]:
    folder = tmp_path_factory.mktemp("slurm")
    (folder / "slurm.conf").write_text(CONF.format(*(free_port() for _ in range(3)), folder=folder))
    (folder / "gres.conf").write_text(f"NodeName={','.join(NODES)} Name=gpu File={folder}/gpu[0-1]\n")
    for number in range(2):  # slurmd counts accelerators by their device files
        os.mknod(folder / f"gpu{number}", 0o600 | stat.S_IFCHR, os.makedev(1, 3))
    for name in ("state", *(f"spool-{node}" for node in NODES)):
        (folder / name).mkdir()
    key = folder / "munge.key"
    key.write_bytes(os.urandom(64))
    key.chmod(0o400)
    env = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}
    files = [f"--{kind}-file={folder}/munge.{kind}" for kind in ("key", "pid", "log", "seed")]
    commands = [[program("munged"), "--foreground", "--force", f"--socket={folder}/munge.sock", *files]]
    commands += [[program("slurmctld"), "-D", "-c"], *([program("slurmd"), "-D", "-N", node] for node in NODES)]
    running = []

    def run(argv: Sequence[str]) -> tuple[int, str, str]:
        done = subprocess.run(argv, env=env, capture_output=True, text=True, timeout=PATIENCE)
        return done.returncode, done.stdout, done.stderr

    try:
        for command in commands:
            running.append(subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            if command is commands[0]:
                wait(lambda: (folder / "munge.sock").exists())
        wait(lambda: all("IDLE+DRAIN " in run(["scontrol", "-o", "show", "node", node])[1] for node in NODES))
        yield run
    finally:
        for process in reversed(running):
            process.terminate()
            process.wait(PATIENCE)


def wait(ready) -> None:
    until(ready, "Slurm did not start")


def patient(node, run):
    """Waits longer for a job on `node` alone, which starts, than for one that never does."""
    return lambda argv: run(
        [f"--immediate={PATIENCE:.0f}" if word.startswith("--immediate") and f"--nodelist={node}" in argv else word for word in argv]
    )  # fmt: skip


def test_the_whole_way(slurm, tmp_path: Path) -> None:
    good, bad = build.decision("train-001"), build.decision("train-002", accepted=False)
    resumed, drained = gate.apply_decisions([good, bad], slurm)
    assert (resumed.verb, resumed.done) == ("resume", True), resumed.says
    assert (drained.verb, drained.done) == ("drain", True), drained.says
    assert read("train-002", slurm).reason == bad.reason

    proof = gate.prove_job({"train-001": 2}, "train", slurm)
    assert proof.answered == ("train-001",), proof.says
    assert proof.silent == ()
    both = gate.prove_job({"train-001": 2, "train-002": 2}, "train", patient("train-001", slurm), wait_seconds=1)
    assert (both.answered, both.silent) == (("train-001",), ("train-002",)), both.says
    silent = gate.prove_job({"train-002": 2}, "train", slurm, wait_seconds=1)
    assert silent.silent == ("train-002",)
    assert "srun" in silent.says

    again = gate.apply_decisions([good, bad], slurm)
    assert [act.verb for act in again] == ["nothing", "nothing"]

    [late] = gate.apply_decisions([build.decision("train-001", accepted=False)], slurm)
    assert (late.verb, late.done) == ("drain", True), late.says

    slurm(["scontrol", "update", "NodeName=train-002", "State=RESUME"])
    slurm(["scontrol", "update", "NodeName=train-002", "State=DRAIN", "Reason=fan = 3, ask Kim"])
    [event] = gate.apply_decisions([build.decision("train-002")], slurm)
    assert (event.verb, event.done) == ("leave", False)
    assert "by root (fan = 3, ask Kim): left to whoever drained it" in event.says
    assert read("train-002", slurm).drained


@pytest.mark.parametrize("accepted", [True, False])
def test_an_operator_who_drains_between_our_look_and_our_word_is_respected(slurm, accepted: bool) -> None:
    slurm(["scontrol", "update", "NodeName=train-002", "State=RESUME"])
    if accepted:  # then we would resume it, else drain it
        slurm(["scontrol", "update", "NodeName=train-002", "State=DRAIN", "Reason=rackwright: new"])
    answers = []

    def run(argv: Sequence[str]) -> tuple[int, str, str]:
        if argv[0] == "sh":
            slurm(["scontrol", "update", "NodeName=train-002", "State=DRAIN", "Reason=fan = 3, ask Kim"])
        answer = slurm(argv)
        answers.extend([answer] if argv[0] == "sh" else [])
        return answer

    [act] = gate.apply_decisions([build.decision("train-002", accepted=accepted)], run)
    assert (act.verb, act.done) == ("leave", False), act.says
    assert [status for status, _, _ in answers] == [CHANGED]
    assert "fan = 3, ask Kim" in answers[0][2]
    assert read("train-002", slurm).reason == "fan = 3, ask Kim"


def test_onboarding_drains_what_serves_and_leaves_what_somebody_drained(slurm) -> None:
    slurm(["scontrol", "update", "NodeName=train-001", "State=RESUME"])
    slurm(["scontrol", "update", "NodeName=train-002", "State=RESUME"])
    slurm(["scontrol", "update", "NodeName=train-002", "State=DRAIN", "Reason=fan = 3, ask Kim"])
    status, _, error = slurm(["sh", "-c", DRAIN, "sh", "rackwright: reboot", "train-001", "train-002"])
    assert status == 0, error
    assert (read("train-001", slurm).reason, read("train-001", slurm).drained) == ("rackwright: reboot", True)
    assert read("train-002", slurm).reason == "fan = 3, ask Kim"


def test_a_node_that_slurm_does_not_have(slurm) -> None:
    [act] = gate.apply_decisions([build.decision("train-009")], slurm)
    assert "does not know" in act.says
