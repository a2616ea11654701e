"""The programs of tests over several nodes on a twin host: they print what the observers see, and nothing outside of a step."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import zip_longest
from pathlib import Path

import pytest

from rackwright.collect import GroupTest, collector, group
from rackwright.twin.faults.changes import set_performance, set_rail_performance
from rackwright.twin.guest.products import collectives as programs
from rackwright.twin.guest.products import rendezvous
from rackwright.twin.hardware import state
from rackwright.twin.hardware.performance import groups
from rackwright.twin.tools import nccl_group
from tests import build
from tests.patience import PATIENCE, until

FAKE = (
    "import os, sys; sys.path.insert(0, sys.argv[1]); from guest.products import collectives as c; "
    'c.rendezvous.address = lambda _: "localhost"; '
    "c.GROUPS = sys.argv[2] + chr(47) + os.environ[chr(77) + chr(69)]; sys.argv = sys.argv[3:]; sys.exit(c.perftest())"
)
"""A program on the host that ME names; all hosts are this one."""
NODES = ("train-001", "train-002", "train-003")


@pytest.fixture
def host(tmp_path, monkeypatch, capsys):
    """Runs a program on train-001 as task 0 of a step on all of `nodes`."""

    def run(words, changed=None, nodes=NODES, task="0"):
        design = build.site_design()
        built = state.build(design, NODES)
        built = changed(built, ["train-002"]) if changed else built
        file = tmp_path / "groups.json"
        file.write_text(groups.render_speeds(design, built, "train-001"))
        monkeypatch.setattr(programs, "GROUPS", str(file))
        monkeypatch.setenv("SLURM_JOB_NODELIST", ",".join(nodes))
        monkeypatch.setenv("SLURM_PROCID", task)
        monkeypatch.setattr(sys, "argv", words.split())
        status = programs.perftest() if words.split("/")[-1].startswith("ib_") else programs.nccl()
        return status, capsys.readouterr()

    return run


def printed_by_all(host, words, changed=None):
    tasks = [host(words, changed, task=str(task)) for task in range(len(NODES))]
    return [status for status, _ in tasks], "".join(output.out for _, output in tasks)


def test_a_group_prints_what_the_collector_reads(host):
    statuses, printed = printed_by_all(host, "/usr/bin/all_reduce_perf -b 1G -e 8G -f 8 -g 8")
    (result,) = collector.library()["nccl_group"].parse(printed).results
    status = max(statuses)
    assert (status, result.nodes, len(result.ranks)) == (0, list(NODES), 24)
    assert all(rank.gpudirect and rank.adapters for rank in result.ranks)


def test_a_host_and_an_observer_tell_the_same(host):
    _, output = host("all_reduce_perf -g 8", nodes=NODES[:2])
    (printed,) = collector.library()["nccl_group"].parse(output.out).results
    design = build.site_design()
    record = nccl_group.observe(state.build(design, NODES), design, "train-001").results[0]
    assert printed.rows == record.rows


def test_tcp_on_one_node_slows_the_group(host):
    _, printed = printed_by_all(host, "all_reduce_perf -g 8", set_performance(tcp=True))
    (result,) = collector.library()["nccl_group"].parse(printed).results
    assert {way for rank in result.ranks if rank.node == "train-002" for way in rank.transports} == {"p2p", "socket"}
    assert result.rows[-1].busbw_gbytes_per_s < 10


def test_each_task_prints_of_its_own_node_alone(host):
    """Table and ranks are of the first; debug lines and counters are of each."""
    for task, node in enumerate(NODES):
        status, output = host("all_reduce_perf -g 8", task=str(task))
        lines = output.out.splitlines()
        spoken = [line for line in lines if line.startswith((f"{node}:", f"# counters node={node} "))]
        assert (status, bool(spoken)) == (0, True)
        others = [line for line in lines if line not in spoken]
        assert bool(others) == (task == 0)
        assert not [line for line in others if line.startswith(("train-", "# counters "))]


def test_without_a_step_there_is_no_device(host):
    status, output = host("all_reduce_perf -g 8", nodes=())
    assert status == 2
    assert "no CUDA-capable device" in output.err


@pytest.fixture
def server(monkeypatch):
    """The port of a server that opened an adapter, on a node of any name."""
    monkeypatch.setattr(rendezvous, "address", lambda _: "localhost")
    with ThreadPoolExecutor() as running:

        def start(adapter):
            with socket.create_server(("", 0)) as listener:
                port = listener.getsockname()[1]
            running.submit(rendezvous.serve, adapter, port)
            until(lambda: _listens(port))
            return port

        yield start


def _listens(port):
    """Without connecting: a server takes one client."""
    listening = Path("/proc/net/tcp").read_text().splitlines() + Path("/proc/net/tcp6").read_text().splitlines()
    return any(f":{port:04X} " in line and " 0A " in line for line in listening)


@pytest.mark.parametrize(("to", "rate"), [("mlx5_0", 195), ("mlx5_3", 391)])
def test_a_rail_towards_a_node(host, server, to, rate):
    """The first rail of train-002 is slow; the client does not know which adapter the server opened before they meet."""
    slow = set_rail_performance(0, bandwidth=0.5)
    _, output = host(f"ib_write_bw -d mlx5_9 -p {server(to)} --report_gbits train-002", slow)
    head = "# rail node=train-001 adapter=mlx5_9 peer=train-002 gpu=5\n"
    (rail,) = collector.library()["rail_bandwidth"].parse(head + output.out).rails
    assert rail.gbits_per_s == pytest.approx(rate, abs=4)
    assert rail.gpudirect == "dmabuf"
    assert [port.sent_bytes >= rail.reported_bytes for port in rail.ports].count(True) == 1


def test_a_client_without_a_server_cannot_connect(host, server):
    port = server("mlx5_0")
    assert rendezvous.call("mlx5_0", "train-002", port) == "mlx5_0"
    status, output = host(f"ib_write_bw -d mlx5_0 -p {port} train-002")
    assert (status, output.out) == (1, "")
    assert f"Couldn't connect to train-002:{port}" in output.err


def test_an_adapter_that_is_not_there(host):
    status, output = host("ib_write_lat -d mlx5_99 -s 2 train-002")
    assert (status, output.out) == (1, "")


@pytest.fixture
def step(tmp_path):
    """Runs the script of a collector as one task on each of some nodes, at the same time; returns what each said."""

    def run(identity, nodes, listed, changed=lambda state, _: state, **words):
        design = build.site_design()
        built = changed(state.build(design, NODES), ["train-002"])
        guest = Path(programs.__file__).parents[2]
        for node in nodes:
            (tmp_path / node).write_text(groups.render_speeds(design, built, node))
        fakes = {"scontrol": f"printf '{chr(10).join(nodes)}\n'", "sleep": "exec /bin/sleep 0.3"}
        for name in ("ib_write_bw", "ib_write_lat"):
            fakes[name] = f"exec {sys.executable} -IS -c '{FAKE}' {guest} {tmp_path} {name} \"$@\""
        for name, text in fakes.items():
            (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
            (tmp_path / name).chmod(0o755)
        launch = group.launch(design, GroupTest(identity, nodes, "x", words), collector.library())
        path = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
        tasks = [
            subprocess.Popen(
                launch.command,
                env={**path, "SLURM_PROCID": str(task), "SLURM_JOB_NODELIST": listed, "ME": node},
                stdout=subprocess.PIPE,
                text=True,
            )
            for task, node in enumerate(nodes)
        ]
        outputs = [task.communicate(timeout=PATIENCE)[0] for task in tasks]
        assert [task.returncode for task in tasks] == [0] * len(nodes)
        return outputs

    return run


@pytest.mark.parametrize(
    ("identity", "listed"), [("rail_bandwidth", "train-[001-002]"), ("rail_latency", "train-001,train-002")]
)
def test_the_script_of_a_collector_works_with_them(step, identity, listed):
    output = "".join(step(identity, NODES[:2], listed, rails="mlx5_0=0 mlx5_3=1"))
    measured = collector.library()[identity].parse(output).rails
    assert all(any(port.sent_bytes >= rail.reported_bytes for port in rail.ports) for rail in measured)
    rails = {(rail.node, rail.adapter, rail.peer) for rail in measured}
    ways = [("train-001", "train-002"), ("train-002", "train-001")]
    assert rails == {(a, adapter, b) for a, b in ways for adapter in ("mlx5_0", "mlx5_3")}


def test_around_a_ring_every_rail_sends_to_the_next_at_the_same_time(step):
    """The lines of three nodes come mixed, as srun brings them; the slow receiver of train-002 slows one flow alone."""
    ends = {node: [(node, "mlx5_0", 0), (node, "mlx5_3", 1)] for node in NODES}
    hops = list(zip(NODES, (*NODES[1:], NODES[0]), strict=True))
    flows = " ".join(group.flow_word(*pair) for a, b in hops for pair in zip(ends[a], ends[b][::-1], strict=True))
    outputs = step("rail_ring", NODES, "train-[001-003]", set_rail_performance(0, bandwidth=0.5), flows=flows)
    mixed = [
        line
        for lines in zip_longest(*(output.splitlines() for output in outputs))
        for line in lines
        if line is not None
    ]
    record = collector.library()["rail_ring"].parse("\n".join(mixed))
    assert record.tool == "perftest 6.20"
    assert [output.sent_bytes >= output.reported_bytes for output in record.flows] == [True] * 6
    slow = {
        (output.node, output.adapter, output.peer, output.peer_adapter)
        for output in record.flows
        if output.gbits_per_s < 300
    }
    assert slow == {("train-001", "mlx5_3", "train-002", "mlx5_0"), ("train-002", "mlx5_0", "train-003", "mlx5_3")}
    assert {(output.node, output.peer) for output in record.flows} == set(hops)


def test_the_script_counts_what_the_ports_carry(tmp_path):
    """A tool that opens one device and whose bytes leave by another shows at the ports."""
    ports = tmp_path / "infiniband"
    for name in ("mlx5_0", "mlx5_3"):
        folder = ports / name / "ports" / "1" / "counters"
        folder.mkdir(parents=True)
        for counter in ("port_xmit_data", "port_rcv_data"):
            (folder / counter).write_text("1000\n")
    table = " #bytes #iterations BW peak[Gb/sec] BW average[Gb/sec] MsgRate[Mpps]\n 8388608 100 0.00 390.1 0.005"
    counter = ports / "mlx5_3" / "ports" / "1" / "counters" / "port_xmit_data"
    tool = tmp_path / "ib_write_bw"
    tool.write_text(f"#!/bin/sh\necho 209716200 > {counter}\ncat <<END\n{table}\nEND\n")
    (tmp_path / "sleep").write_text("#!/bin/sh\nexit 0\n")
    for program in (tool, tmp_path / "sleep"):
        program.chmod(0o755)
    entry = collector.library()["rail_bandwidth"]
    command = [
        word.replace("{rails}", "mlx5_0=0").replace("/sys/class/infiniband", str(ports)) for word in entry.command
    ]
    step = {"SLURM_PROCID": "1", "SLURM_JOB_NODELIST": "a,b", "PATH": f"{tmp_path}:/usr/bin:/bin"}
    output = subprocess.run(command, env=step, capture_output=True, text=True, check=True).stdout
    (rail,) = entry.parse(output).rails
    assert rail.reported_bytes == 838860800
    assert [(port.adapter, port.sent_bytes) for port in rail.ports] == [("mlx5_0", 0), ("mlx5_3", 838860800)]


def test_a_ring_counts_its_own_port_and_asks_again_until_the_server_listens(tmp_path):
    counters = tmp_path / "infiniband" / "mlx5_0" / "ports" / "1" / "counters"
    counters.mkdir(parents=True)
    for counter in ("port_xmit_data", "port_rcv_data"):
        (counters / counter).write_text("1000\n")
    table = " #bytes #iterations BW peak[Gb/sec] BW average[Gb/sec] MsgRate[Mpps]\n 8388608 100 0.00 390.1 0.005"
    tool = (
        f'[ -e {tmp_path}/again ] || {{ : > {tmp_path}/again; echo " Couldn\'t connect to b:20516" >&2; exit 1; }}\n'
        f"echo 209716200 > {counters}/port_xmit_data; cat <<END\n{table}\nEND"
    )
    for name, text in {"ib_write_bw": tool, "sleep": "exit 0"}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    entry = collector.library()["rail_ring"]
    flows = {
        "{flows}": "a/mlx5_0/3/b/mlx5_3/1",
        "{memory}": '--use_cuda="$g"',
        "/sys/class/infiniband": str(counters.parents[3]),
    }
    command = list(entry.command)
    for old, new in flows.items():
        command = [word.replace(old, new) for word in command]
    step = {"SLURM_PROCID": "0", "SLURM_JOB_NODELIST": "a,b", "PATH": f"{tmp_path}:/usr/bin:/bin"}
    output = subprocess.run(command, env=step, capture_output=True, text=True, check=True).stdout
    (flow,) = entry.parse(output).flows
    assert (flow.node, flow.adapter, flow.peer, flow.peer_adapter) == ("a", "mlx5_0", "b", "mlx5_3")
    assert (flow.reported_bytes, flow.sent_bytes) == (838860800, 838860800)


def test_the_file_is_json_of_moderate_size():
    design = build.site_design()
    text = groups.render_speeds(design, state.build(design, NODES), "train-001")
    assert set(json.loads(text)) == {"site", "rails"}
    assert len(text) < 200_000
