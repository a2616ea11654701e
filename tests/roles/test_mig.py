"""What mig leaves on a node: every GPU cut by one layout, at every boot."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.twin, pytest.mark.slurm]
CONFIGURATION = "/etc/nvidia-mig-manager/rackwright.yaml"


def test_every_gpu_is_cut_by_the_layout_of_the_pool(host, scenario):
    table = host.check_output("nvidia-smi mig -lgi")
    assert table.count(" MIG 2g.20gb ") == 8 * 3
    assert host.run(f"nvidia-mig-parted assert -f {CONFIGURATION} -c all-2g.20gb").rc == 0
    modes = host.check_output("nvidia-smi --query-gpu=mig.mode.current --format=csv,noheader").split()
    assert modes == ["Enabled"] * 8


def test_the_layout_comes_back_with_the_next_boot(host, scenario):
    assert host.service("nvidia-mig-manager").is_enabled
    assert "nvidia-mig-manager" in host.check_output("apt-mark showhold").split()
    try:
        host.run_expect([0], "rm /run/rackwright-twin/mig")
        assert host.run("nvidia-smi mig -lgi").rc == 6
        host.run_expect([0], "systemctl restart nvidia-mig-manager")
        assert host.check_output("nvidia-smi mig -lgi").count(" MIG ") == 24
    finally:
        host.run("systemctl restart nvidia-mig-manager")
