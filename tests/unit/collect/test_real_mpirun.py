"""A real Open MPI starts tests by our arguments; every node is this machine, reached by an agent in place of ssh."""

from __future__ import annotations

import asyncio
import os

import pytest

from rackwright.collect.launchers import mpi
from rackwright.collect.launchers.launcher import Launch
from rackwright.collect.launchers.remote import RemoteHost
from tests.unit.collect.conftest import serve

pytestmark = pytest.mark.openmpi
NODES = ("train-003", "train-001", "train-002")
AGENT = '#!/bin/sh\nexport NODE="$1" TMPDIR="$0.$1"; mkdir -p "$TMPDIR"; shift; exec sh -c "$*"\n'
"""Called as ``ssh NODE command`` (Open MPI, plm_rsh_agent). Daemons of one machine would be in each other's way in one folder."""


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mpi")
    agent = folder / "agent"
    agent.write_text(AGENT)
    agent.chmod(0o755)
    extra = f"SetEnv PATH={os.environ['PATH']}:/usr/sbin OMPI_MCA_plm_rsh_agent={agent}\n"
    with serve(folder, extra) as running:
        yield RemoteHost(NODES[0], "127.0.0.1", running.access, running.port)


def started(first, command, seconds=60):
    launch = Launch("x", NODES, ("sh", "-c", command), seconds, 8)
    return asyncio.run(first.run(launch, mpi.mpirun(launch), "mpirun"))


def test_every_node_has_one_task_that_sees_a_step(first):
    output = started(first, "echo $SLURM_PROCID of $SLURM_NTASKS on $NODE in $SLURM_JOB_NODELIST as ${SLURM_JOB_ID:?}")
    assert (output.rc, output.error) == (0, ""), output
    lines = [
        line.rpartition(b" as ")[0].split(b"\n")[1].decode() for line in mpi.split_by_rank(output.stdout)[1].values()
    ]
    assert lines == [f"{at} of 3 on {node} in {','.join(NODES)}" for at, node in enumerate(NODES)]


def test_lines_of_tasks_that_print_at_the_same_time_stay_whole(first):
    """Without tags many of them come torn."""
    count = 400
    output = started(
        first, f"yes $NODE/mlx5_0 says a line of perftest, which is about as long as this one | head -n {count}"
    )
    lines = [f"{node}/mlx5_0 says a line of perftest, which is about as long as this one" for node in NODES]
    assert (output.rc, output.error) == (0, ""), output
    printed = mpi.split_by_rank(output.stdout)[1]
    assert [printed[rank].decode().splitlines()[1:] for rank in printed] == [[line] * count for line in lines]


def test_a_task_that_fails_ends_all(first):
    output = started(first, "[ $SLURM_PROCID = 1 ] && exit 7; exec sleep 3600")
    assert output.rc == 7, output
    assert output.error == ""


def test_what_hangs_ends_at_its_limit(first, monkeypatch):
    monkeypatch.setattr("rackwright.collect.launchers.remote.START_SECONDS", 0.0)
    assert started(first, "exec sleep 3600", seconds=5).error == "mpirun did not end within 5 s"
