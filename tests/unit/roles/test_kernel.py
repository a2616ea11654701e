import pytest

DEBIAN = "6.1.0-49-amd64"
UBUNTU = "6.8.0-90-generic"
RHEL = "5.14.0-570.12.1.el9_6.x86_64"


def kernel(release):
    return {"kernel": {"release": release, "cmdline": "ro", "modules": {}, "headers": True}}


def test_a_kernel_of_the_bill_comes_with_headers_and_is_held(declared):
    role = declared("kernel", kernel_release=DEBIAN)
    assert role.packages[f"linux-image-{DEBIAN}"] == "*"
    assert role.packages[f"linux-headers-{DEBIAN}"] == "*"
    assert role.packages["linux-image-[a-z]*"] == "*", "the metapackage brings the next kernel"


def test_ubuntu_has_modules_in_two_packages(declared):
    role = declared("kernel", os="ubuntu-24.04", kernel_release=UBUNTU)
    assert {f"linux-modules-{UBUNTU}", f"linux-modules-extra-{UBUNTU}"} <= set(role.packages)
    less = declared("kernel", os="ubuntu-24.04", kernel_release=UBUNTU, kernel_modules_extra=False)
    assert f"linux-modules-extra-{UBUNTU}" not in less.packages


def test_rhel_installs_exact_versions_without_the_architecture(declared):
    role = declared("kernel", os="rhel-9", kernel_release=RHEL, facts=kernel(RHEL))
    assert role.packages["kernel-core"] == "5.14.0-570.12.1.el9_6"
    assert role.packages["kernel-devel"] == "5.14.0-570.12.1.el9_6"
    large = declared("kernel", os="rhel-9", kernel_release="5.14.0-570.12.1.el9_6.aarch64+64k")
    assert large.packages["kernel-64k-core"] == "5.14.0-570.12.1.el9_6"


@pytest.mark.parametrize(
    ("system", "release", "title"),
    [
        ("debian-12", DEBIAN, f"Advanced options for Debian GNU/Linux>Debian GNU/Linux, with Linux {DEBIAN}"),
        ("ubuntu-22.04", UBUNTU, f"Advanced options for Ubuntu>Ubuntu, with Linux {UBUNTU}"),
    ],
)
def test_the_boot_loader_starts_the_kernel_of_the_bill_and_not_the_newest(declared, system, release, title):
    role = declared("kernel", os=system, kernel_release=release)
    assert f'GRUB_DEFAULT="{title}"' in role.files["/etc/default/grub.d/zz-rackwright-kernel.cfg"]
    assert role.commands == {"Write the boot menu for the kernel": ["update-grub"]}


def test_rhel_is_told_by_grubby(declared):
    role = declared("kernel", os="rocky-9", kernel_release=RHEL)
    assert role.commands["Boot the kernel of the bill"] == ["grubby", "--set-default", f"/boot/vmlinuz-{RHEL}"]
    assert not role.files


def test_without_a_kernel_in_the_bill_the_running_one_stays(declared):
    role = declared("kernel", facts=kernel("6.1.0-44-amd64"))
    assert role.packages["linux-image-6.1.0-44-amd64"] == "*"
    assert role.reboot == []
    assert "6.1.0-44-amd64" in role.files["/etc/default/grub.d/zz-rackwright-kernel.cfg"]


def test_another_running_kernel_is_a_reason_to_reboot(declared):
    text = declared("kernel", kernel_release=DEBIAN, facts=kernel("6.1.0-44-amd64")).reboot
    assert text == ["kernel: kernel 6.1.0-44-amd64 runs, the bill says 6.1.0-49-amd64"]
    assert declared("kernel", kernel_release=DEBIAN, facts=kernel(DEBIAN)).reboot == []


@pytest.mark.parametrize("wrong", ["6.1", "6.1.0-49", "latest", "linux-image-6.1.0-49-amd64"])
def test_a_kernel_that_is_no_release_is_refused(declared, wrong):
    assert f"found {wrong}" in declared("kernel", kernel_release=wrong).refused


def test_a_release_of_another_system_is_refused(declared):
    assert declared("kernel", os="rhel-9", kernel_release=UBUNTU).refused
    assert declared("kernel", os="rhel-9", kernel_release=RHEL).refused == ""
