"""What nvidia_persistence leaves on a node."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.twin, pytest.mark.slurm]


def test_the_daemon_runs_and_every_gpu_keeps_its_state(host, scenario):
    unit = host.service("nvidia-persistenced")
    assert unit.is_running
    assert unit.is_enabled
    assert host.check_output("nvidia-smi --query-gpu=persistence_mode --format=csv,noheader").split() == ["Enabled"] * 8
