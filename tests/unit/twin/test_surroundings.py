import threading
from dataclasses import replace
from pathlib import Path

import pytest

from rackwright.twin.hardware import state
from rackwright.twin.hardware.live import Live
from rackwright.twin.hosts import disks, host_plan, namespaces, network, raised_limits, ssh_keys
from tests.build import site_design

NODES = ["train-001", "slurm-01"]


@pytest.fixture(scope="module")
def healthy() -> state.State:
    return state.build(site_design(), NODES)


def test_the_network_plan_follows_from_the_site() -> None:
    plan = network.plan(site_design().site, ["10.64.4.20"])
    assert (plan.gateway, plan.services, plan.inband.prefixlen) == ("10.64.0.1", ("10.64.0.2",), 22)


def test_services_outside_the_subnet_are_not_ours() -> None:
    site = site_design().site
    software = site.software.model_copy(update={"apt_mirror": "http://mirror.example/apt"})
    control = site.control.model_copy(update={"ntp_servers": ["192.0.2.1"]})
    assert network.plan(site.model_copy(update={"software": software, "control": control}), []).services == ()


@pytest.mark.parametrize(
    ("platform", "euid", "says"),
    [("darwin", 0, "needs Linux"), ("linux", 1000, "needs root"), ("linux", 0, "apt-get install chrony")],
)
def test_what_a_twin_needs_is_one_sentence(platform: str, euid: int, says: str, tmp_path: Path) -> None:
    text = namespaces.obstacle(platform, euid, str(tmp_path), search="")
    assert says in text
    assert "\n" not in text


def test_a_machine_without_the_capability_is_recognised() -> None:
    assert raised_limits.may_raise("Name:\tx\nCapEff:\t000001ffffffffff\n")
    assert not raised_limits.may_raise("Name:\tx\nCapEff:\t000001fffeffffff\n")


def test_power_listeners_hear_changes_only(healthy: state.State) -> None:
    live, heard = Live(healthy), []
    live.on_power(lambda node, on: heard.append((node, on)))
    live.power("train-001", on=True)
    live.power("train-001", on=False)
    live.change("train-001", lambda machine: replace(machine, boot_target="Pxe"))
    live.power("train-001", on=True)
    assert heard == [("train-001", False), ("train-001", True)]
    assert live.machine("train-001").boot_target == "Pxe"


def test_live_loses_no_change_of_many_threads(healthy: state.State) -> None:
    live = Live(healthy)

    def count() -> None:
        for _ in range(200):
            live.change("train-001", lambda machine: replace(machine, psus_ok=machine.psus_ok + 1))

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert live.machine("train-001").psus_ok == healthy.machines["train-001"].psus_ok + 800


@pytest.fixture
def around(tmp_path: Path) -> host_plan.Surroundings:
    names = {node: site_design().node(node).inband_address for node in NODES}
    keys = ssh_keys.make(tmp_path / "keys", names)
    return host_plan.Surroundings(
        "s", network.plan(site_design().site, []), names, keys, tmp_path, 1, dict.fromkeys(names, "debian-12")
    )


def files(plan: dict[str, object]) -> dict[str, str]:
    return {file["path"]: file["text"] for key in ("files", "first_files") for file in plan[key]}  # type: ignore[attr-defined]


def test_a_host_has_its_own_keys_and_no_others(healthy: state.State, around: host_plan.Surroundings) -> None:
    written = files(host_plan.plan(healthy.machines["train-001"], around, 0))
    assert written["/root/.ssh/authorized_keys"] == around.keys.login.public_text
    assert written["/etc/ssh/ssh_host_ed25519_key"] != around.keys.hosts["slurm-01"].private_text
    assert "slurm-01" in written["/etc/hosts"]
    text = around.keys.known_hosts.read_text()
    assert f"train-001,{around.names['train-001']} ssh-ed25519 " in text


def test_device_files_follow_the_gpus(healthy: state.State, around: host_plan.Surroundings) -> None:
    assert len(host_plan.plan(healthy.machines["train-001"], around, 0)["devices"]) == 9
    assert host_plan.plan(healthy.machines["slurm-01"], around, 0)["devices"] == {}
    gone = replace(healthy.machines["train-001"].gpus[0], present=False)
    machine = replace(healthy.machines["train-001"], gpus=(gone, *healthy.machines["train-001"].gpus[1:]))
    assert len(host_plan.plan(machine, around, 0)["devices"]) == 8


def test_a_hanging_server_replaces_the_unit(healthy: state.State, around: host_plan.Surroundings) -> None:
    machine = healthy.machines["train-001"]
    assert "/run/systemd/system/ssh.service" not in files(host_plan.plan(machine, around, 0))
    assert "/run/systemd/system/ssh.service" in files(host_plan.plan(replace(machine, ssh_hangs=True), around, 0))


def test_keys_are_kept_from_run_to_run(tmp_path: Path) -> None:
    first = ssh_keys.make(tmp_path, {"a": "10.0.0.1"}).login.private_text
    assert ssh_keys.make(tmp_path, {"a": "10.0.0.1"}).login.private_text == first
    (tmp_path / "id_ed25519.pub").unlink()
    assert ssh_keys.make(tmp_path, {"a": "10.0.0.1"}).login.private_text != first


def test_file_systems_are_told_apart() -> None:
    assert disks.file_system(Path("/proc/self")) == "proc"
