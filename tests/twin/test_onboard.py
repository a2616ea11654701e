"""What a run of onboarding changes, keeps and says on hosts that are as declared, and on some that drifted."""

import shlex
import sys
from pathlib import Path

import pytest

from tests.patience import until

pytestmark = [pytest.mark.twin, pytest.mark.slurm]

ROOT = Path(__file__).resolve().parents[2]
REASON = "rackwright: acceptance pending"


def test_the_nodes_are_as_testinfra_expects(onboarding):
    suite = ROOT / "tests" / "testinfra" / "onboarded.py"
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(suite)]
    output = onboarding.twin.say(shlex.join([*words, "--hosts=ssh://train-001,ssh://train-002"]))
    assert " passed" in output


def test_every_node_of_the_design_is_drained_with_the_reason_from_the_start(onboarding):
    for name in ("train-001", "train-002", "train-031"):
        state, reason = onboarding.node(name)
        assert (state, reason) == ("drained", REASON)


def test_a_node_was_drained_before_it_could_register(onboarding):
    text = onboarding.on("slurm-01", "scontrol show node train-001")
    fields = dict(word.split("=", 1) for word in text.replace("Reason=", "").split() if "=" in word)
    drained = text[text.index("[root@") + len("[root@") :].split("]")[0]
    assert drained <= fields["SlurmdStartTime"]


def test_a_check_says_what_would_change_and_changes_nothing_until_the_next_run_does(onboarding):
    """A file and a package that drifted, each on a node of its own."""
    onboarding.on("train-002", "echo '# by hand' >> /etc/nccl.conf")
    onboarding.on(
        "train-001",
        "rm /etc/apt/preferences.d/rackwright-nvidia-fabric; apt-mark -q unhold nvidia-fabricmanager; "
        "apt-get -qq install -y --allow-downgrades nvidia-fabricmanager=580.126.20-1",
    )
    check = onboarding.changed("--check")
    assert (check["slurm-01"], check["train-002"]) == (0, 1)
    assert check["train-001"]
    assert "# by hand" in onboarding.on("train-002", "cat /etc/nccl.conf")
    assert "580.126.20-1" in onboarding.on("train-001", "dpkg -s nvidia-fabricmanager | grep ^Version")
    changes = onboarding.changed()
    assert (changes["slurm-01"], changes["train-001"], changes["train-002"]) == (0, 1, 1)
    assert "# by hand" not in onboarding.on("train-002", "cat /etc/nccl.conf")
    assert "580.173.02-1" in onboarding.on("train-001", "dpkg -s nvidia-fabricmanager | grep ^Version")
    assert "nvidia-fabricmanager" in onboarding.on("train-001", "apt-mark showhold")


KILLED = """
set -e; cd $(mktemp -d); rm -f /run/*.killed
die() { printf '#!/bin/sh\\n[ -e /run/%s.killed ] && exit; touch /run/%s.killed; kill -9 $PPID; sleep 1\\n' $1 $1; }
again() {
    apt-get download -qq $1 && dpkg-deb -R $1_*.deb $1; die $1 > $1/DEBIAN/$2; chmod 755 $1/DEBIAN/$2
    dpkg-deb -Znone -b $1 $1.deb >/dev/null; ! dpkg -i $1.deb >/dev/null 2>&1; test -e /run/$1.killed
}
again fio preinst; again smartmontools postinst
die lldpd > /var/lib/dpkg/info/lldpd.prerm; chmod 755 /var/lib/dpkg/info/lldpd.prerm
! dpkg --remove --force-depends lldpd >/dev/null 2>&1; test -e /run/lldpd.killed
"""
"""dpkg itself, killed by the script of a package: before it unpacks one, while it configures one, and before it removes one."""
STATES = "dpkg-query -W -f '${Package} ${db:Status-Status} ${db:Status-Eflag}\\n' fio lldpd smartmontools; dpkg --audit; ls /var/lib/dpkg/updates"


def test_a_run_that_was_killed_inside_of_dpkg_is_ended_by_the_next(onboarding):
    onboarding.on("train-002", KILLED)
    assert "reinstreq" in onboarding.on("train-002", STATES)
    assert onboarding.status("--nodes", "train-002", "--roles", "base", "--retries", "0") == {"train-002": "changed"}
    names = ("fio", "lldpd", "smartmontools")
    assert onboarding.on("train-002", STATES).splitlines() == [f"{name} installed ok" for name in names]


def test_a_rerun_that_restarts_slurmctld_keeps_what_gate_and_operators_decided(onboarding):
    onboarding.on("slurm-01", "scontrol update nodename=train-001 state=resume")
    onboarding.on("slurm-01", "scontrol update nodename=train-002 state=drain reason='operator: bad fan'")
    onboarding.on("slurm-01", "echo '# by hand' >> /etc/slurm/slurm.conf")
    before = onboarding.on("slurm-01", "systemctl show -p MainPID slurmctld")
    assert onboarding.changed()["slurm-01"] == 2
    assert onboarding.on("slurm-01", "systemctl show -p MainPID slurmctld") != before
    onboarding.on("slurm-01", "scontrol reconfigure")
    until(lambda: onboarding.node("train-001")[0] == "idle", lambda: onboarding.node("train-001"))
    assert onboarding.node("train-002") == ("drained", "operator: bad fan")
    assert onboarding.on("slurm-01", "srun -w train-001 --gres=gpu:h100:8 hostname") == "train-001"


def test_a_controller_that_lost_its_state_starts_with_a_closed_gate(onboarding):
    onboarding.on("slurm-01", "systemctl stop slurmctld; rm -rf /var/lib/slurm/slurmctld/*")
    assert onboarding.changed()["slurm-01"] == 2
    assert onboarding.node("train-001") == ("drained", REASON)


def test_the_key_of_the_cluster_reaches_no_artifact(onboarding):
    key = (onboarding.work / "secrets" / "munge.key").read_bytes()
    artifacts = [path for path in (onboarding.work / "ansible").rglob("*") if path.is_file()]
    assert len(artifacts) > 100
    for path in artifacts:
        assert key[:16] not in path.read_bytes(), path
