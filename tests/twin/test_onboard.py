import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.patience import PATIENCE, until

pytestmark = [pytest.mark.twin, pytest.mark.slurm]

ROOT = Path(__file__).resolve().parents[2]
REASON = "rackwright: acceptance pending"


class Onboarding:
    """A twin of two nodes and a controller, and its onboarding."""

    def __init__(self, twin, site: Path, work: Path) -> None:
        self.twin, self.site, self.work = twin, site, work

    def run(self, *words: str) -> tuple[int, dict]:
        command = [sys.executable, "-m", "rackwright", "onboard", str(self.site), "--work", str(self.work)]
        allowed = [] if "--check" in words else ["--reboot"]
        options = ["--format", "json", *allowed, *(words or ("--nodes", "2"))]
        code, output = self.twin.run(shlex.join([*command, *options]))
        return code, json.loads(output[output.index("{") :])

    def changed(self, *words: str) -> dict[str, int]:
        code, recap = self.run(*words)
        assert code == 0, recap
        return {name: host["changed"] for name, host in recap["hosts"].items()}

    def on(self, host: str, command: str) -> str:
        return self.twin.say(f"ssh {host} {shlex.quote(command)}")

    def node(self, name: str) -> tuple[str, str]:
        """State and reason that slurmctld gives to a node."""
        state, _, reason = self.on("slurm-01", f"sinfo -h -N -n {name} -o '%T|%E'").partition("|")
        return state.rstrip("*"), reason


@pytest.fixture(scope="module")
def onboarding(
    open_twin: Callable[..., object], example_site: Path, tmp_path_factory: pytest.TempPathFactory
) -> Onboarding:
    running = Onboarding(open_twin("--nodes", "2"), example_site, tmp_path_factory.mktemp("onboard"))
    code, recap = running.run()
    assert code == 0, recap
    assert all(host["changed"] for host in recap["hosts"].values())
    assert set(recap["task_seconds"]) > {"base", "packages", "nvidia_driver", "nvidia_fabric", "dcgm", "slurm_node"}
    return running


def test_a_second_run_changes_nothing(onboarding):
    assert set(onboarding.changed().values()) == {0}


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
    check = onboarding.changed("--nodes", "2", "--check")
    assert (check["slurm-01"], check["train-002"]) == (0, 1)
    assert check["train-001"]
    assert "# by hand" in onboarding.on("train-002", "cat /etc/nccl.conf")
    assert "580.126.20-1" in onboarding.on("train-001", "dpkg -s nvidia-fabricmanager | grep ^Version")
    changes = onboarding.changed()
    assert (changes["slurm-01"], changes["train-001"], changes["train-002"]) == (0, 1, 1)
    assert "# by hand" not in onboarding.on("train-002", "cat /etc/nccl.conf")
    assert "580.173.02-1" in onboarding.on("train-001", "dpkg -s nvidia-fabricmanager | grep ^Version")
    assert "nvidia-fabricmanager" in onboarding.on("train-001", "apt-mark showhold")


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


def test_a_host_that_hangs_does_not_stop_the_others(onboarding):
    onboarding.twin.run("ssh train-002 'kill -STOP $(cat /run/sshd.pid)'")
    code, recap = onboarding.run("--nodes", "2", "--retries", "0")
    assert code == 1
    assert recap["hosts"]["train-002"]["unreachable"] == 1
    assert "timed out" in recap["hosts"]["train-002"]["first_failure"]
    assert recap["hosts"]["train-001"]["failed"] == recap["hosts"]["slurm-01"]["failed"] == 0
    assert recap["hosts"]["train-001"]["status"] == "unchanged"
    assert recap["seconds"] < PATIENCE
