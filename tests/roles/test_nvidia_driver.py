"""What nvidia_driver leaves on a node."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.twin, pytest.mark.slurm]
VERSION = "580.173.02"


def test_the_driver_is_the_pinned_one_built_for_this_kernel_with_open_modules(host, scenario):
    assert host.package("nvidia-open").version == f"{VERSION}-1"
    release = host.check_output("uname -r")
    assert f"nvidia/{VERSION}, {release}, x86_64: installed" in host.check_output("dkms status")
    assert host.check_output("modinfo -F license nvidia") == "Dual MIT/GPL"


def test_everything_that_came_along_is_held(host, scenario):
    held = set(host.check_output("apt-mark showhold").split())
    assert {"nvidia-open", "nvidia-kernel-open-dkms", "libcuda1", "libnvidia-ml1", "nvidia-smi"} <= held
    assert "Pin: version 580.173.02-*" in host.file("/etc/apt/preferences.d/rackwright-nvidia-driver").content_string


def test_nouveau_is_locked_out_of_the_running_system_and_the_initial_ram_disk(host, scenario):
    release = host.check_output("uname -r")
    for path in ("/etc/modprobe.d/90-rackwright-nvidia.conf", f"/boot/initrd.img-{release}"):
        assert "blacklist nouveau" in host.file(path).content_string
    assert "nouveau" not in host.check_output("lsmod")


def test_every_gpu_answers_and_the_options_are_in_force(host, scenario):
    assert host.check_output("nvidia-smi --query-gpu=driver_version --format=csv,noheader").split() == [VERSION] * 8
    assert "RestrictProfilingToAdminUsers: 0" in host.file("/proc/driver/nvidia/params").content_string
    assert {"i2c_core", "ipmi_msghandler", "ipmi_devintf"} <= set(host.check_output("lsmod").split())
