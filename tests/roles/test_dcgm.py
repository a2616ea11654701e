"""What dcgm leaves on a node."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.twin, pytest.mark.slurm]


def test_exactly_the_build_of_the_driver_is_there_and_held(host, scenario):
    held = set(host.check_output("apt-mark showhold").split())
    for name in ("core", "proprietary", "cuda13", "proprietary-cuda13"):
        assert host.package(f"datacenter-gpu-manager-4-{name}").version == "1:4.6.0-1"
        assert f"datacenter-gpu-manager-4-{name}" in held
    assert not host.package("datacenter-gpu-manager-4-cuda12").is_installed


def test_the_host_engine_sees_every_gpu(host, scenario):
    assert host.service("nvidia-dcgm").is_running
    assert host.check_output("dcgmi discovery -l").startswith("8 GPUs found")
