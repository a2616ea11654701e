"""What an accelerator node looks like after onboarding, seen through SSH by testinfra.

Not collected by itself: it needs hosts. ``pytest tests/testinfra/onboarded.py --hosts=ssh://train-001,ssh://train-002``, on a
real site as well as inside a twin (tests/twin/test_onboard.py).
"""

from __future__ import annotations

from pathlib import Path

from rackwright import spec

SITE = spec.load(Path(__file__).resolve().parents[2] / "inventories" / "h100-pod" / "site.yaml").site
BILL = SITE.software
PACKAGES = {
    "nvidia-open": f"{BILL.driver}-",
    "libcuda1": f"{BILL.driver}-",
    "nvidia-persistenced": f"{BILL.driver}-",
    "nvidia-fabricmanager": f"{BILL.fabric_manager}-",
    "libnvidia-nscq": f"{BILL.driver}-",
    "nvidia-container-toolkit": f"{BILL.container_toolkit}-",
    "libnvidia-container1": f"{BILL.container_toolkit}-",
    "datacenter-gpu-manager-4-core": f"1:{BILL.dcgm}-",
    "datacenter-gpu-manager-4-cuda13": f"1:{BILL.dcgm}-",
    "libnccl2": f"{BILL.nccl}-",
}
SERVICES = ["chrony", "munge", "nvidia-dcgm", "nvidia-fabricmanager", "nvidia-persistenced", "slurmd"]


def test_packages_have_exactly_the_version_of_the_bill_and_are_held(host):
    printed = host.check_output("dpkg-query -W -f '${Package} ${Version} ${db:Status-Want}\n' " + " ".join(PACKAGES))
    by_name = {name: (version, want) for name, version, want in (line.split() for line in printed.splitlines())}
    assert {name: want for name, (_, want) in by_name.items()} == dict.fromkeys(PACKAGES, "hold")
    assert [name for name in PACKAGES if not by_name[name][0].startswith(PACKAGES[name])] == []


def test_apt_would_not_move_them(host):
    policies = host.check_output("apt-cache policy " + " ".join(PACKAGES)).splitlines()
    candidates = [line.split()[1] for line in policies if line.startswith("  Candidate:")]
    expected = zip(candidates, PACKAGES.values(), strict=True)
    assert [candidate for candidate, start in expected if not candidate.startswith(start)] == []


def test_services_run_now_and_after_a_boot(host):
    for question, answer in (("is-active", "active"), ("is-enabled", "enabled")):
        answers = host.run(f"systemctl {question} {' '.join(SERVICES)}").stdout.split()
        assert dict(zip(SERVICES, answers, strict=True)) == dict.fromkeys(SERVICES, answer)


def test_the_mirror_is_trusted_for_its_own_packages_only(host):
    source = host.file("/etc/apt/sources.list.d/rackwright.sources").content_string
    assert f"URIs: {BILL.apt_mirror}" in source
    assert "Signed-By: /etc/apt/keyrings/rackwright-mirror.asc" in source
    assert not host.file("/etc/apt/trusted.gpg.d/rackwright-mirror.asc").exists


def test_a_session_may_lock_all_memory(host):
    assert host.check_output("ulimit -l") == "unlimited"


def test_kernel_parameters_are_in_force(host):
    assert host.check_output("sysctl -n vm.zone_reclaim_mode") == "1"
    written = host.file("/etc/sysctl.d/90-rackwright.conf").content_string.splitlines()
    assert (
        "net.ipv4.neigh.default.gc_thresh3 = 16384" in written
    )  # the kernel has one table for all namespaces of a twin


def test_the_clock_follows_the_servers_of_the_site_and_no_others(host):
    lines = host.file("/etc/chrony/chrony.conf").content_string.splitlines()
    servers = [line.split()[1] for line in lines if line.startswith(("server", "pool"))]
    assert servers == SITE.control.ntp_servers


def test_nouveau_stays_out(host):
    assert host.file("/etc/modprobe.d/90-rackwright-nvidia.conf").contains("^blacklist nouveau$")


def test_containers_get_their_devices_by_cdi(host):
    assert host.file("/etc/containerd/conf.d/99-nvidia.toml").contains("enable_cdi = true")
    assert host.file("/var/run/cdi/nvidia.yaml").contains("kind: nvidia.com/gpu")


def test_nccl_is_told_the_rails_and_not_the_storage_ports(host):
    (line,) = [
        line for line in host.file("/etc/nccl.conf").content_string.splitlines() if line.startswith("NCCL_IB_HCA==")
    ]
    rails = line.removeprefix("NCCL_IB_HCA==").split(",")
    assert len(rails) == 8
    assert "mlx5_1" not in rails


def test_only_munge_reads_the_munge_key(host):
    key = host.file("/etc/munge/munge.key")
    assert (key.user, key.group, key.mode) == ("munge", "munge", 0o400)
    assert host.run("munge -n | unmunge").rc == 0


def test_the_account_of_acceptance_jobs_has_one_number_everywhere(host):
    user = host.user("acceptance")
    assert (user.uid, user.gid) == (64100, 64100)


def test_every_host_of_the_site_is_known_by_name(host):
    names = host.file("/etc/hosts").content_string
    assert "train-031" in names
    assert "slurm-01" in names
