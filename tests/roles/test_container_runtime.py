"""A host after role container_runtime: containerd answers, with control groups of systemd, whatever else is configured."""

import pytest

pytestmark = [pytest.mark.twin, pytest.mark.slurm]


def test_containerd_of_the_bill_answers_and_is_held(host):
    assert "Version:  v2.1.5" in host.check_output("ctr version").split("Server:")[1]
    assert "containerd.io" in host.check_output("apt-mark showhold").split()


def test_the_main_file_of_the_package_is_replaced_because_it_switches_pods_off(host):
    assert "disabled_plugins" not in host.file("/etc/containerd/config.toml").content_string
    assert "disabled_plugins" not in host.check_output("containerd config dump")


def test_control_groups_belong_to_systemd(host):
    output = host.check_output("containerd config dump")
    assert "SystemdCgroup = true" in output.split("runtimes.runc.options]")[1]


def test_another_drop_in_adds_a_runtime_and_takes_nothing_away(host):
    path = "/etc/containerd/conf.d/50-other.toml"
    text = "version = 3\\n[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.other]\\nruntime_type = 'x'\\n"
    host.check_output(f'printf "{text}" > {path}')
    try:
        output = host.check_output("containerd config dump")
        assert "runtimes.other]" in output
        assert "SystemdCgroup = true" in output.split("runtimes.runc.options]")[1]
    finally:
        host.check_output(f"rm {path}")
