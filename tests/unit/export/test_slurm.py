from __future__ import annotations

import os
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from rackwright import export
from rackwright.base.errors import ProblemsError, UsageError
from rackwright.export import ExportRequest
from rackwright.model.hostlist import expand_hosts
from tests.patience import PATIENCE, until
from tests.ports import free_port
from tests.unit.export.conftest import domains, expand, three_tiers

CONF = """\
ClusterName=export
SlurmctldHost=localhost
SlurmUser=root
SlurmctldPort={port}
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.sock
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
TopologyPlugin=topology/tree
MpiDefault=none
NodeName={nodes} NodeAddr=127.0.0.1 State=FUTURE
PartitionName=train Nodes=ALL Default=YES State=UP
"""


def export_text(design, name="topology.conf", **wish) -> str:
    return {file.name: file.text() for file in export.export(design, "slurm", ExportRequest(**wish))}[name]


def switches(text: str) -> dict[str, tuple[str, list[str]]]:
    rows = re.findall(r"^SwitchName=(\S+) (Nodes|Switches)=(\S+)$", text, re.MULTILINE)
    return {name: (word, expand_hosts([names])) for name, word, names in rows}


def test_example(example):
    result = switches(export_text(example))
    assert result["compute-leaf-01"] == ("Nodes", [f"train-{n:03d}" for n in range(1, 32)])
    assert result["compute-spine-01"] == ("Switches", ["compute-leaf-01"])


def test_three_tiers_are_one_tree():
    result = switches(export_text(three_tiers()))
    below = [name for _, names in result.values() for name in names]
    assert len(below) == len(set(below)), "something hangs below two switches"
    assert set(result) - set(below) == {"compute-core-01"}
    assert {name for name in below if name not in result} == {f"train-{n:03d}" for n in range(1, 129)}


def test_blocks_of_domains():
    text = export_text(domains(), "topology-block.conf", pools=("gb",))
    assert "BlockName=gb-r01 Nodes=gb-[001-018]\nBlockName=gb-r02 Nodes=gb-[019-020]\nBlockSizes=2\n" in text
    both = export_text(domains(), "topology-block.conf", pools=("gb", "srv"))
    assert "# in no NVLink domain: srv-[001-003]" in both


def test_only_nodes_of_slurm_without_being_asked(example):
    result = switches(export_text(domains()))
    assert {name for word, names in result.values() if word == "Nodes" for name in names} == {
        "srv-001",
        "srv-002",
        "srv-003",
    }


def test_another_fabric_of_choice(example):
    assert set(switches(export_text(example, fabric="storage"))) == {"storage-leaf-01", "storage-leaf-01-group"}


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        ({"fabric": "comptue"}, "did you mean compute"),
        ({"fabric": "zzz"}, "it has compute, storage"),
        ({"pools": ("trian",)}, "did you mean train"),
    ],
)
def test_what_the_site_lacks(example, wish, says):
    with pytest.raises(UsageError, match=says):
        export_text(example, **wish)


def test_no_slurm_pool():
    def change(data):
        data["pools"][0]["scheduler"] = "none"

    with pytest.raises(UsageError, match="no pool of h100-pod has scheduler slurm; name one with --pool"):
        export_text(expand(change))


def test_names_that_slurm_cannot_hold(example):
    nodes = example.node_table.with_columns(node=example.node_table["node"].replace({"train-002": "bad,[name"}))
    cables = example.cables.with_columns(a_device=example.cables["a_device"].replace({"train-002": "bad,[name"}))
    devices = example.devices.with_columns(device=example.devices["device"].replace({"train-002": "bad,[name"}))
    hostile = replace(example, node_table=nodes, cables=cables, devices=devices)
    with pytest.raises(ProblemsError, match=r"bad,\[name"):
        export_text(hostile)


@pytest.mark.slurm
@pytest.mark.skipif(os.geteuid() != 0, reason="slurmctld needs root here")
def test_slurm_reads_the_tree(tmp_path: Path):
    text = export_text(three_tiers())
    (tmp_path / "slurm.conf").write_text(CONF.format(port=free_port(), folder=tmp_path, nodes="train-[001-128]"))
    (tmp_path / "topology.conf").write_text(text)
    (tmp_path / "state").mkdir()
    key = tmp_path / "munge.key"
    key.write_bytes(os.urandom(64))
    key.chmod(0o400)
    env = {**os.environ, "SLURM_CONF": str(tmp_path / "slurm.conf"), "PATH": f"{os.environ['PATH']}:/usr/sbin"}
    files = [f"--{entry}-file={tmp_path}/munge.{entry}" for entry in ("key", "pid", "log", "seed")]
    commands = [["munged", "--foreground", "--force", f"--socket={tmp_path}/munge.sock", *files]]
    commands.append(["slurmctld", "-D", "-c"])
    running: list[subprocess.Popen[bytes]] = []
    try:
        for command in commands:
            quiet = subprocess.DEVNULL
            running.append(subprocess.Popen(command, env=env, stdout=quiet, stderr=quiet))
            if command is commands[0]:
                wait(lambda: (tmp_path / "munge.sock").exists())
        wait(lambda: "SwitchName=compute-core-01" in show_topology(env))
        read = show_topology(env)
    finally:
        for process in reversed(running):
            process.terminate()
            process.wait(PATIENCE)
    log = (tmp_path / "slurmctld.log").read_text().splitlines()
    assert not [line for line in log if re.search(r"(error|warning).*(topology|switch)", line, re.IGNORECASE)]
    required = switches(text)
    lines = {re.search(r"SwitchName=(\S+)", line)[1]: line for line in read.splitlines() if "SwitchName=" in line}
    assert set(lines) == set(required)
    for name, (word, names) in required.items():
        assert sorted(expand_hosts([re.search(rf"{word}=(\S+)", lines[name])[1]])) == sorted(names), name
    nodes = expand_hosts([re.search(r"Nodes=(\S+)", lines["compute-core-01"])[1]])
    assert sorted(nodes) == [f"train-{n:03d}" for n in range(1, 129)]


def show_topology(env) -> str:
    done = subprocess.run(["scontrol", "show", "topology"], env=env, capture_output=True, text=True, timeout=PATIENCE)
    return done.stdout


def wait(ready) -> None:
    until(ready, "Slurm did not start")
