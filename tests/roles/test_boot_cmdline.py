"""A host after role boot_cmdline: it was rebooted once, into a kernel with the arguments of its platform."""

import pytest

pytestmark = [pytest.mark.twin, pytest.mark.slurm]


def test_the_running_kernel_has_the_arguments(host):
    words = host.file("/proc/cmdline").content_string.split()
    assert {"iommu=pt", "numa_balancing=disable"} <= set(words)


def test_they_are_added_to_what_the_installer_left(host):
    assert "quiet" in host.file("/proc/cmdline").content_string.split()
    assert host.file("/boot/grub/grub.cfg").contains("iommu=pt numa_balancing=disable")


def test_nothing_is_left_to_be_done(host):
    pending = host.file("/var/lib/rackwright/pending")
    assert not pending.exists or pending.listdir() == []
