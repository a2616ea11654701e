"""The persistence daemon runs with persistence mode on, whatever its package says."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("system", ["debian-12", "rhel-9", "rocky-9"])
def test_a_unit_that_keeps_the_mode_on_stays_as_its_package_has_it(declared, system):
    role = declared("nvidia_persistence", os=system, nvidia_persistence_gpus=8)
    assert not any("nvidia-persistenced" in text for text in role.files.values() if text)
    assert role.units["nvidia-persistenced"]["enabled"]


def test_the_unit_of_ubuntu_is_told_to_keep_the_mode_on_and_follows_the_change(declared):
    role = declared("nvidia_persistence", os="ubuntu-24.04", nvidia_persistence_gpus=8)
    [(path, text)] = role.files.items()
    assert "--persistence-mode" in text
    assert "ExecStart=\nExecStart=" in text
    assert role.watchers["nvidia_persistence.unit.nvidia-persistenced"] == [path]
    assert role.units["nvidia-persistenced"]["enabled"]
    assert role.refused == ""


def test_every_gpu_must_be_in_the_mode(declared):
    verify = declared("nvidia_persistence", nvidia_persistence_gpus=8).verify
    assert verify["Persistence mode"]["every_line"]
    assert verify["GPUs in persistence mode"]["lines"] == 8
    assert "GPUs in persistence mode" not in declared("nvidia_persistence").verify


def test_a_wrong_number_of_gpus_is_refused(declared):
    assert "nvidia_persistence_gpus" in declared("nvidia_persistence", nvidia_persistence_gpus="many").refused
