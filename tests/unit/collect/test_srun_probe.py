"""The probe by srun on a real Slurm: controller and two nodes on this machine."""

import asyncio
import os
import shlex
import subprocess
import sys

import pytest

from rackwright.collect import probe_build
from rackwright.collect.launchers import probe, srun_lines
from rackwright.collect.output import Ask
from rackwright.collect.transports import fleet
from tests.patience import PATIENCE
from tests.unit.collect.conftest import serve
from tests.unit.gate.test_real_slurm import slurm as real_slurm  # noqa: F401 - a fixture

root = pytest.mark.skipif(os.geteuid() != 0, reason="slurmd needs root")
NAME = Ask("name", 10, ("sh", "-c", "echo $SLURMD_NODENAME"))
LONG = Ask("long", 10, ("sh", "-c", "head -c 100000 /dev/urandom | base64 -w 0; echo; echo $LC_ALL >&2"))


@pytest.fixture(scope="module")
def controller(real_slurm, tmp_path_factory):  # noqa: F811
    real_slurm(["scontrol", "update", "NodeName=train-001,train-002", "State=RESUME"])
    configuration = real_slurm(["sh", "-c", "echo $SLURM_CONF"])[1].strip()
    extra = f"SetEnv SLURM_CONF={configuration} PATH={os.environ['PATH']}:/usr/sbin\n"
    with serve(tmp_path_factory.mktemp("controller"), extra) as running:
        yield running


@pytest.fixture(scope="module")
def zipapp(tmp_path_factory):
    return probe_build.build_probe(tmp_path_factory.mktemp("probe")).read_bytes()


def ask_nodes(sshd, zipapp, **hosts):
    targets = [fleet.FleetHost(name.replace("_", "-"), "10.0.0.1", asks) for name, asks in hosts.items()]

    async def all_of_them():
        way = probe.Controller("slurm-01", "127.0.0.1", "train", sshd.port)
        return [arrival async for arrival in probe.ask(targets, way, sshd.access, zipapp)]

    arrivals = asyncio.run(asyncio.wait_for(all_of_them(), PATIENCE))
    assert all(reply.through for reply in arrivals)
    return {reply.host.node: {output.collector: output for output in reply.outputs} for reply in arrivals}


@pytest.mark.slurm
@root
def test_every_node_answers_for_itself_and_long_lines_stay_whole(controller, zipapp):
    outputs = ask_nodes(controller, zipapp, train_001=(NAME, LONG), train_002=(NAME, LONG))
    for node in ("train-001", "train-002"):
        assert (outputs[node]["name"].stdout, outputs[node]["name"].error) == (f"{node}\n".encode(), "")
        assert len(outputs[node]["long"].stdout) > 130_000
        assert outputs[node]["long"].stderr == b"C\n"


@pytest.mark.slurm
@root
def test_nodes_that_are_asked_differently_are_steps_of_their_own(controller, zipapp):
    results = ask_nodes(controller, zipapp, train_001=(NAME,), train_002=(NAME, LONG))
    assert {node: set(outputs) for node, outputs in results.items()} == {
        "train-001": {"name"},
        "train-002": {"name", "long"},
    }
    assert not any(output.error for outputs in results.values() for output in outputs.values())


@pytest.mark.slurm
@root
def test_a_node_that_slurm_starts_nothing_on_does_not_cost_the_others(controller, zipapp, real_slurm):  # noqa: F811
    real_slurm(["scontrol", "update", "NodeName=train-002", "State=DRAIN", "Reason=fan"])
    try:
        outputs = ask_nodes(controller, zipapp, train_001=(NAME,), train_002=(NAME,))
    finally:
        real_slurm(["scontrol", "update", "NodeName=train-002", "State=RESUME"])
    assert outputs["train-001"]["name"].error == ""
    assert "Slurm starts nothing on train-002 (idle+drain)" in outputs["train-002"]["name"].error


@pytest.mark.slurm
@root
def test_nodes_that_slurm_cannot_give_together_are_asked_alone(controller, zipapp):
    outputs = ask_nodes(controller, zipapp, train_001=(NAME,), train_009=(NAME,))
    assert outputs["train-001"]["name"].stdout == b"train-001\n"
    assert "srun on slurm-01" in outputs["train-009"]["name"].error


def test_without_a_slurm_every_node_has_one_sentence(sshd, zipapp):
    outputs = ask_nodes(sshd, zipapp, train_001=(NAME,))
    assert outputs["train-001"]["name"].error.startswith("Slurm on slurm-01 does not answer: ")


def test_whatever_breaks_a_step_every_node_has_one_sentence(sshd, zipapp, monkeypatch):
    async def nobody(_):
        return {}

    async def broken(*_):
        raise RuntimeError("what nobody thought of")

    monkeypatch.setattr(probe._Session, "aside", nobody)
    monkeypatch.setattr(probe.ssh_connection, "connect", broken)
    outputs = ask_nodes(sshd, zipapp, train_001=(NAME,), train_002=(NAME,))
    assert {output["name"].error for output in outputs.values()} == {"slurm-01: what nobody thought of"}


def test_noise_without_an_end_is_not_kept():
    buffer = bytearray()
    for _ in range(100):
        assert srun_lines.lines(buffer, b"x" * fleet.BLOCK) == []
        assert len(buffer) <= srun_lines.MOST_LINE
    buffer.clear()
    assert srun_lines.lines(buffer, b"0: @.a\n1: @") == [b"0: @.a"]
    assert srun_lines.lines(buffer, b".b\n") == [b"1: @.b"]


def test_the_writer_tears_no_line(tmp_path):
    program = (
        f"import os, sys\n{probe.WRITER}\nsys.stdout.write('{{' + 'x' * 2000 + '}}\\n'); sys.stdout.write('{{}}\\n')"
    )
    command = [sys.executable, "-c", program]
    process = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines = process.splitlines()
    assert [line[:2] for line in lines] == ["@+", "@+", "@.", "@."]
    assert "".join(line[2:] for line in lines[:3]) == "{" + "x" * 2000 + "}"
    assert max(map(len, lines)) < 1000


def test_the_step_asks_for_little_and_ends():
    argv = probe.srun(["train-001", "train-002"], "train", 90)
    assert argv[:3] == ["timeout", "--kill-after=5", "90"]
    assert "--nodelist=train-001,train-002" in argv
    assert "--time=2" in argv
    assert shlex.join(argv)
