"""What nvidia_fabric leaves on a node with NVSwitches of the fourth generation; test_nvidia_boards.py has the other boards."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.twin, pytest.mark.slurm]


def test_fabric_manager_and_nscq_have_the_version_of_the_driver_and_are_held(host, scenario):
    versions = {host.package(name).version for name in ("nvidia-open", "nvidia-fabricmanager", "libnvidia-nscq")}
    assert versions == {"580.173.02-1"}
    assert {"nvidia-fabricmanager", "libnvidia-nscq"} <= set(host.check_output("apt-mark showhold").split())


def test_every_gpu_has_joined_the_fabric(host, scenario):
    assert host.service("nvidia-fabricmanager").is_running
    assert host.service("nvidia-fabricmanager").is_enabled
    states = host.check_output("nvidia-smi --query-gpu=fabric.state,fabric.status --format=csv,noheader").splitlines()
    assert states == ["Completed, Success"] * 8


def test_nothing_of_other_boards_is_here(host, scenario):
    assert not host.package("nvlsm").is_installed
    assert not host.package("nvidia-imex").is_installed
