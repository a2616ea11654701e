import re
from pathlib import Path

import pytest

from rackwright.twin.hardware import fabric, state
from tests.build import site_design

pytestmark = [pytest.mark.twin, pytest.mark.fabric]
NODES = ["train-001", "train-002", "train-003", "train-004", "slurm-01", "ufm-01"]
FAULTS = ("fabric-cables-swapped", "ssh-hangs", "clock-unsynchronised")


@pytest.fixture(scope="module")
def faulty(open_twin):
    return open_twin("--nodes", "4", *(word for name in FAULTS for word in ("--fault", name)))


@pytest.fixture(scope="module")
def subnet(faulty) -> str:
    faulty.say("ssh ufm-01 'until systemctl is-active -q opensm-compute; do sleep 0.05; done'")
    return faulty.say("ssh ufm-01 ibnetdiscover")


def test_the_subnet_shows_the_port_guids_of_the_machines(subnet: str) -> None:
    machines = state.build(site_design(), NODES).machines
    observed = {int(guid, 16) for guid in re.findall(r"^\[1\]\(([0-9a-f]+)\)", subnet, re.MULTILINE)}
    expected = {int(nic.guid, 16) for node in NODES[:4] for nic in machines[node].nics if nic.role == "compute"}
    assert expected
    assert expected <= observed


def test_swapped_cables_end_at_the_other_nodes_port(subnet: str) -> None:
    block = re.split(r'Switch\t64 "S-[0-9a-f]+"\t\t# "compute-leaf-01"', subnet)[1].partition("\n\n")[0]
    first, second = (
        re.search(rf'^\[(\d+)\].*"{node} mlx5_0"', block, re.MULTILINE) for node in ("train-001", "train-002")
    )
    assert first
    assert second
    assert (first[1], second[1]) == ("2", "1")
    assert "8xHDR" in block


def test_the_adapter_chooses_the_fabric(faulty) -> None:
    assert faulty.say("ssh ufm-01 ibnetdiscover -C mlx5_0 | grep -c ^Switch") == "12"
    storage = fabric.attached(state.build(site_design(), NODES), state.build(site_design(), NODES).machines["ufm-01"])
    faulty.say("ssh ufm-01 'until systemctl is-active -q opensm-storage; do sleep 0.05; done'")
    assert faulty.say(f"ssh ufm-01 ibnetdiscover -C {storage['storage']} | grep -c ^Switch") == "2"
    code, output = faulty.run("ssh ufm-01 ibnetdiscover -C mlx5_9")
    assert (code, "no adapter mlx5_9" in output) == (1, True)


def test_a_hanging_server_accepts_and_says_nothing(faulty) -> None:
    code, output = faulty.run("bash -c 'exec 3<>/dev/tcp/train-003/22; echo open; read -t 2 -n 1 -u 3'")
    assert (code > 128, output) == (True, "open")  # the time to wait for the first letter was over
    assert faulty.say("ssh train-001 hostname") == "train-001"


def test_a_refused_clock_stays_unsynchronised(faulty) -> None:
    setup = (
        "echo server 10.64.0.2 iburst minpoll 0 > /etc/chrony/chrony.conf; systemctl restart chrony; chronyc waitsync"
    )
    assert faulty.run(f"ssh train-001 '{setup} 3000 0.1 0 0.2'")[0] == 0
    assert faulty.run(f"ssh train-004 '{setup} 20 0.1 0 0.2'")[0] == 1


@pytest.mark.slurm
def test_slurm_counts_the_gpus_and_runs_a_job(faulty, tmp_path: Path) -> None:
    conf = tmp_path / "slurm.conf"
    conf.write_text("""\
ClusterName=t
SlurmctldHost=slurm-01
SlurmUser=slurm
StateSaveLocation=/var/lib/slurm/slurmctld
SlurmdSpoolDir=/var/lib/slurm/slurmd
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
GresTypes=gpu
NodeName=train-00[1-2] CPUs=1 Gres=gpu:8
PartitionName=p Nodes=ALL Default=YES
""")
    (tmp_path / "munge.key").write_bytes(b"k" * 128)
    (tmp_path / "gres.conf").write_text("Name=gpu File=/dev/nvidia[0-7]\n")
    prepare = "chown munge: /etc/munge/munge.key; chmod 400 /etc/munge/munge.key; install -d -o slurm /var/lib/slurm/slurmctld; systemctl restart munge"
    for node in ("slurm-01", "train-001", "train-002"):
        faulty.say(
            f"scp -q {tmp_path}/munge.key {node}:/etc/munge/ && scp -q {conf} {tmp_path}/gres.conf {node}:/etc/slurm/"
        )
        faulty.say(f"ssh {node} '{prepare}'")
    faulty.say("ssh slurm-01 systemctl start slurmctld")
    for node in ("train-001", "train-002"):
        faulty.say(f"ssh {node} systemctl start slurmd")
    assert faulty.say("ssh slurm-01 timeout 300 srun --quiet -N2 --gres=gpu:8 hostname | sort").split() == [
        "train-001",
        "train-002",
    ]
