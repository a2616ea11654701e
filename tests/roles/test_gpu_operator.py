"""A host after role gpu_operator, which has everything of a Kubernetes node with DOCA-OFED before: nothing is installed twice."""

import pytest

from rackwright.base import yaml_text

pytestmark = [pytest.mark.twin, pytest.mark.slurm]


def test_the_values_switch_off_what_the_node_carries(host):
    values = yaml_text.load(host.file("/etc/rackwright/gpu-operator-values.yaml").content_string)
    assert [values[part]["enabled"] for part in ("driver", "toolkit", "dcgm", "dcgmExporter")] == [False] * 4
    assert values["devicePlugin"]["enabled"] is True


def test_what_they_switch_off_is_really_there(host):
    assert "580.173.02" in host.check_output("nvidia-smi --query-gpu=driver_version --format=csv,noheader")
    for unit in ("nvidia-dcgm", "nvidia-dcgm-exporter", "containerd", "kubelet"):
        assert host.service(unit).is_running


def test_modules_of_doca_are_built_for_the_kernel_that_runs_and_ipoib_is_not_loaded(host):
    kernel = host.check_output("uname -r")
    built = host.check_output("dkms status")
    for module in ("mlnx-ofed-kernel", "iser", "isert", "srp", "kernel-mft-dkms"):
        assert any(
            line.startswith(f"{module}/") and f", {kernel}, " in line and line.endswith("installed")
            for line in built.splitlines()
        )
    assert host.check_output("ofed_info -s").startswith("OFED-internal-25.10")
    loaded = {line.split()[0] for line in host.file("/proc/modules").content_string.splitlines()}
    assert "mlx5_ib" in loaded
    assert "ib_ipoib" not in loaded


def test_dkms_is_the_distributions(host):
    assert "Pin: release l=DOCA-HOST*" in host.file("/etc/apt/preferences.d/rackwright-doca-sources").content_string
    assert host.package("dkms").is_installed


def test_both_runtimes_are_in_the_configuration_of_containerd(host):
    output = host.check_output("containerd config dump")
    assert "SystemdCgroup = true" in output.split("runtimes.runc.options]")[1]
    assert 'BinaryName = "/usr/bin/nvidia-container-runtime"' in output.split("runtimes.nvidia.options]")[1]
