"""What gpudirect leaves on a node with open driver modules and a kernel that has DMA-BUF."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.twin, pytest.mark.slurm]


def test_dma_buf_needs_no_module_and_the_old_one_is_nowhere(host, scenario):
    loaded = host.check_output("lsmod").split()
    assert "nvidia_peermem" not in loaded
    assert "nv_peer_mem" not in loaded
    assert not host.file("/etc/modules-load.d/nvidia-peermem.conf").exists


def test_gdrcopy_is_built_held_and_loaded_at_every_boot(host, scenario):
    assert host.package("gdrdrv-dkms").version == "2.6-1"
    assert {"gdrdrv-dkms", "libgdrapi"} <= set(host.check_output("apt-mark showhold").split())
    assert "gdrdrv" in host.check_output("lsmod").split()
    assert host.service("rackwright-gpudirect").is_enabled
