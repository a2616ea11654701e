import json
from types import SimpleNamespace

import pexpect
import pytest

from rackwright import onboard
from rackwright.base.errors import OutsideError
from rackwright.onboard import inventory_file, runner
from tests.build import EXAMPLE


def changed(inventory, **variables):
    """With other values where the inventory has one, for the site or for a host."""
    hosts = {
        name: {**host, **{key: variables[key] for key in variables if key in host}}
        for name, host in inventory.hosts.items()
    }
    return inventory.model_copy(update={"hosts": hosts, "variables": {**inventory.variables, **variables}})


def play(inventory, workspace, **options):
    return onboard.run_playbook(inventory, workspace, lambda kind, data: None, **options)


def test_the_inventory_is_written_as_ansible_reads_it(inventory):
    tree = inventory_file.as_ansible(inventory)["all"]
    assert tree["hosts"]["train-001"]["ansible_host"]
    assert list(tree["children"]["slurm_controller"]["hosts"]) == ["slurm-01"]
    assert tree["vars"]["ansible_user"] == {"__ansible_unsafe": "root"}


REFUSED = [
    ({"nvidia_fabric_version": "595.91.07"}, ["exactly the version of the driver", "gpu-driver-container"]),
    ({"nvidia_driver_flavour": "open", "nvidia_driver_architecture": "volta"}, ["need Turing", "installation guide"]),
    ({"dcgm_version": "3.3.9"}, ["DCGM 4", "4.6.0"]),
    ({"container_toolkit_version": "1.17.7"}, ["1.17.7", "azhpc-images"]),
    ({"nccl_version": "2.30"}, ["full version"]),
    ({"time_servers": []}, ["at least one time server"]),
    ({"base_apt_mirror": 8080}, ["http(s) URL"]),
    ({"slurm_config_controllers": []}, ["one controller"]),
    ({"slurm_config_sets": []}, ["train-001", "train-002"]),
]
TOGETHER = REFUSED[:-1]
"""Those that one play refuses together: a start of Ansible takes two seconds."""


@pytest.mark.parametrize("refused", [TOGETHER, REFUSED[-1:]], ids=["versions and servers", "node sets"])
def test_what_cannot_work_is_refused_before_any_host_is_touched(inventory, workspace, refused):
    variables = {key: value for changes, _ in refused for key, value in changes.items()}
    recap = play(changed(inventory, **variables), workspace)
    assert all(host.failed and not host.unreachable for host in recap.hosts.values())
    failures = [host.first_failure for host in recap.hosts.values()]
    for _, words in refused:
        assert any(all(word in failure for word in words) for failure in failures), (words, failures)


def test_a_munge_key_that_is_gone_is_refused(inventory, workspace):
    onboard.munge_key(workspace).unlink()
    recap = play(inventory, workspace)
    assert "munge.key does not exist" in " ".join(host.first_failure for host in recap.hosts.values())


def test_artifacts_hold_no_secret_of_our_environment(inventory, workspace, monkeypatch):
    monkeypatch.setenv("RACKWRIGHT_BMC_PASSWORD", "geheim-0815")
    play(changed(inventory, nccl_version="2.30"), workspace)
    key = onboard.munge_key(workspace).read_bytes()
    files = [path for path in workspace.folder("ansible").rglob("*") if path.is_file()]
    assert len(files) > 5
    for path in files:
        content = path.read_bytes()
        assert b"geheim-0815" not in content, path
        assert key not in content, path


def test_when_ansible_cannot_start_at_all_the_reason_is_said(inventory, workspace, monkeypatch):
    monkeypatch.setattr(runner, "playbook_arguments", lambda *options: ["--no-such-option"])
    with pytest.raises(OutsideError, match="no-such-option"):
        play(inventory, workspace)


def test_every_run_keeps_its_own_artifacts(inventory, workspace):
    for _ in range(2):
        play(changed(inventory, nccl_version="2.30"), workspace)
    runs = sorted((workspace.folder("ansible") / "artifacts").iterdir())
    assert len(runs) == 2
    assert json.loads((runs[0] / "command").read_text())["command"][0] == "ansible-playbook"


def test_hosts_of_each_kind_are_refused_without_a_connection(inventory, workspace):
    assert runner.refusals(inventory, workspace) is None
    recap = runner.refusals(changed(inventory, nccl_version="2.30"), workspace)
    assert "full version" in recap.hosts["train-001"].first_failure


def test_the_acts_of_the_play_are_those_that_every_host_has_once(tmp_path):
    playbook = tmp_path / "site.yml"
    playbook.write_text(
        "- {name: First, hosts: all, tasks: [{name: A, debug: {}}]}\n"
        "- {name: Last, hosts: all, tasks: [{name: B, debug: {}}, {name: C, ansible.builtin.include_role: {name: x}}, {name: D, debug: {}}]}\n"
    )
    assert runner.playbook_shape(playbook) == ("Last", ("B", "D"))


class Overloaded:
    """A play whose output ansible-runner gives up on after it has handed over these events."""

    def __init__(self, handle, events, folder):
        self._handle, self._events = handle, events
        self.config = SimpleNamespace(artifact_dir=str(folder))
        self.status = "running"
        self.stdout = (folder / "stdout").open("w+")
        self.stdout.write("fatal error: no space left on device\n")
        self.stdout.seek(0)

    def run(self):
        for event in self._events:
            self._handle(event)
        raise pexpect.TIMEOUT("Timeout exceeded.")


STATS = {"event": "playbook_on_stats", "event_data": {"ok": {"train-001": 3}, "changed": {"train-001": 1}}}


def overload(monkeypatch, folder, *events):
    monkeypatch.setattr(
        runner,
        "_runner",
        lambda _folder, _book, _inventory, _options, handle, _cancelled: Overloaded(handle, events, folder),
    )


def test_a_play_that_came_to_its_end_counts_although_its_runner_gave_up(inventory, workspace, tmp_path, monkeypatch):
    """A loaded machine: `child.expect(pexpect.EOF, timeout=5)` of ansible-runner, after Ansible has ended."""
    last_play, _ = runner.playbook_shape(EXAMPLE.parents[2] / "roles" / "site.yml")
    task = {"host": "train-001", "play": last_play, "task": "Bring the host to what it says", "res": {}}
    overload(monkeypatch, tmp_path, {"event": "runner_on_ok", "event_data": task}, STATS)
    host = play(inventory, workspace).hosts["train-001"]
    assert (host.ok, host.changed, host.failed) == (3, 1, 0)


def test_a_play_without_an_end_is_a_sentence_that_says_how_to_go_on(inventory, workspace, tmp_path, monkeypatch):
    overload(monkeypatch, tmp_path)
    with pytest.raises(OutsideError, match=r"no space left on device.*run the same command again"):
        play(inventory, workspace)
