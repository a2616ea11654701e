"""Load tests on real hosts of the twin: the answered driver of one node, and the programs of tests over several."""

from __future__ import annotations

import shlex

import pytest

from rackwright.collect import collector
from rackwright.twin.hosts.host_files import GUEST_INSIDE

pytestmark = pytest.mark.twin
ALONE = [i for i, entry in sorted(collector.library().items()) if "rackwright-burn" in entry.command]
OF_TWIN = {(), ("nvidia",), ("slurm",)}
"""The twin of these tests has nodes of NVIDIA under Slurm."""
NVIDIA = [i for i in ALONE if {collector.library()[i].vendors, collector.library()[i].schedulers} <= OF_TWIN]
PROGRAM = (
    "import sys; sys.path.insert(0, '{guest}'); sys.argv = {words}; "
    "from guest.products import collectives as c; sys.exit(c.{entry}())"
)


@pytest.mark.parametrize("identity", NVIDIA)
def test_a_node_answers_every_load_test(twin, identity):
    entry = collector.library()[identity]
    code, output = twin.run(f"ssh train-001 {shlex.quote(shlex.join(entry.command))}")
    assert code == 0, output
    assert entry.parse(output)


def program(node, entry, *words):
    text = PROGRAM.format(guest=GUEST_INSIDE, words=list(words), entry=entry)
    step = "SLURM_PROCID=0 SLURM_JOB_NODELIST=train-001,train-002"
    line = f"env {step} python3 -IS -c {shlex.quote(text)}"
    return f"ssh {node} {shlex.quote(line)}"


def test_a_group_of_two_nodes(twin):
    code, output = twin.run(
        program("train-001", "nccl", "all_reduce_perf", "-b", "1G", "-e", "8G", "-f", "8", "-g", "8")
    )
    (result,) = collector.library()["nccl_group"].parse(output).results
    assert (code, result.nodes, len(result.ranks)) == (0, ["train-001", "train-002"], 16)


def test_a_rail_to_the_other_node(twin):
    """The client asks until the server listens, as the scripts of the collectors do."""
    server = program("train-002", "perftest", "ib_write_bw", "-d", "mlx5_4", "-p", "18600")
    client = program(
        "train-001", "perftest", "ib_write_bw", "-d", "mlx5_3", "-p", "18600", "--report_gbits", "train-002"
    )
    output = twin.say(
        f'{server} >/dev/null 2>&1 & until said=$({client} 2>/dev/null); do sleep 0.5; done; echo "$said"'
    )
    head = "# rail node=train-001 adapter=mlx5_3 peer=train-002 gpu=1\n"
    (rail,) = collector.library()["rail_bandwidth"].parse(head + output).rails
    assert (rail.adapter, rail.gpudirect) == ("mlx5_3", "dmabuf")
