"""A host after role kernel: the running kernel has its headers, is held, and is the one that boots."""

import pytest

pytestmark = [pytest.mark.twin, pytest.mark.slurm]


def test_headers_of_the_running_kernel_are_there(host):
    release = host.check_output("uname -r")
    assert host.file(f"/lib/modules/{release}/build/include/generated/utsrelease.h").contains(release)


def test_image_headers_and_metapackages_are_held(host):
    release = host.check_output("uname -r")
    held = host.check_output("apt-mark showhold").split()
    assert {f"linux-image-{release}", f"linux-headers-{release}", "linux-image-amd64"} <= set(held)


def test_the_boot_menu_starts_the_running_kernel(host):
    release = host.check_output("uname -r")
    assert host.file("/boot/grub/grub.cfg").contains(f'set default="Advanced options.*with Linux {release}"')
