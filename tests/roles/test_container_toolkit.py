"""A host after role container_toolkit: one version, CDI that names every GPU and the libraries of the driver."""

import pytest

pytestmark = [pytest.mark.twin, pytest.mark.slurm]
PARTS = {
    "nvidia-container-toolkit",
    "nvidia-container-toolkit-base",
    "libnvidia-container-tools",
    "libnvidia-container1",
}


def test_all_four_packages_are_held(host):
    assert set(host.check_output("apt-mark showhold").split()) >= PARTS
    assert {host.package(name).version for name in PARTS} == {"1.20.0-1"}


def test_cdi_names_every_gpu_and_the_libraries_of_the_driver(host):
    output = host.check_output("nvidia-ctk cdi list 2>/dev/null").splitlines()
    assert {f"nvidia.com/gpu={number}" for number in range(8)} <= set(output)
    assert "libnvidia-ml.so.580.173.02" in host.file("/var/run/cdi/nvidia.yaml").content_string


def test_it_is_made_anew_at_every_boot_and_after_another_driver(host):
    for unit in ("nvidia-cdi-refresh.service", "nvidia-cdi-refresh.path"):
        assert host.check_output(f"systemctl is-enabled {unit}") == "enabled"
