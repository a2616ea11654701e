"""The NVIDIA driver: which kernel modules, whose packages, what is refused, when a reboot is due."""

from __future__ import annotations

import base64
from fnmatch import fnmatchcase

import pytest

HOPPER = {
    "nvidia_driver_version": "580.173.02",
    "nvidia_driver_architecture": "hopper",
    "nvidia_driver_platform": "hgx",
}
MODPROBE = "/etc/modprobe.d/90-rackwright-nvidia.conf"
SYSTEMS = ("debian-12", "ubuntu-22.04", "ubuntu-24.04", "rhel-9", "rocky-9")


def named(packages):
    """Packages that are installed by name, not those that may come along."""
    return {name for name in packages if not any(sign in name for sign in "*?[")}


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_open_modules_come_from_the_vendor(declared, system):
    role = declared("nvidia_driver", os=system, **HOPPER)
    assert "nvidia-open" in named(role.packages)
    assert role.packages["nvidia-open"] == "580.173.02-*"
    assert role.refused == ""


def test_red_hat_takes_the_stream_of_the_branch_and_its_modules(declared):
    packages = declared("nvidia_driver", os="rocky-9", **HOPPER).packages
    assert packages["@nvidia-driver:580-open"] == ""
    assert packages["kmod-nvidia-open-dkms"] == "580.173.02-*"
    closed = declared("nvidia_driver", os="rhel-9", **HOPPER, nvidia_driver_flavour="proprietary").packages
    assert {"@nvidia-driver:580-dkms", "kmod-nvidia-latest-dkms", "cuda-drivers"} <= set(closed)


def test_ubuntu_has_branch_packages_of_its_own_and_signed_modules(declared):
    kernel = {"release": "6.8.0-60-generic", "cmdline": "", "modules": {}, "headers": True}
    built = declared("nvidia_driver", os="ubuntu-24.04", **HOPPER, nvidia_driver_source="distribution").packages
    assert named(built) == {"nvidia-headless-580-server-open", "nvidia-utils-580-server"}
    requested = {**HOPPER, "nvidia_driver_source": "precompiled"}
    ready = declared("nvidia_driver", os="ubuntu-24.04", facts={"kernel": kernel}, **requested)
    assert ready.packages["linux-modules-nvidia-580-server-open-6.8.0-60-generic"] == "*"
    assert "Build the driver for the running kernel" not in ready.commands
    assert "Driver built for the running kernel" not in ready.verify
    assert declared("nvidia_driver", os="debian-12", **requested).refused.startswith(
        "nvidia_driver: debian-12 has no driver packages"
    )


@pytest.mark.parametrize("system", SYSTEMS)
def test_wildcards_hold_the_driver_and_leave_the_container_toolkit_alone(declared, system):
    globs = declared("nvidia_driver", os=system, **HOPPER).packages
    toolkit = (
        "nvidia-container-toolkit",
        "nvidia-container-toolkit-base",
        "libnvidia-container1",
        "libnvidia-container-tools",
    )
    assert not [(name, glob) for name in toolkit for glob in globs if fnmatchcase(name, glob)]
    later = "libnvidia-cfg" if system in ("rhel-9", "rocky-9") else "libnvidia-cfg1"
    assert [glob for glob in globs if fnmatchcase(later, glob)]


def test_what_would_be_a_second_driver_goes(declared):
    gone = declared("nvidia_driver", **HOPPER).part("install")["remove"]
    assert {"nvidia-tesla-*", "nvidia-kernel-dkms", "cuda-drivers*"} <= set(gone)
    assert "nvlsm" not in gone
    pcie = declared("nvidia_driver", **{**HOPPER, "nvidia_driver_platform": "pcie"}).part("install")["remove"]
    assert {"nvidia-fabricmanager*", "nvidia-imex*", "nvlsm"} <= set(pcie)
    closed = declared("nvidia_driver", **HOPPER, nvidia_driver_flavour="proprietary").part("install")["remove"]
    assert "nvidia-kernel-open-dkms" in closed
    assert "nvidia-kernel-dkms" not in closed


@pytest.mark.parametrize(
    ("architecture", "version", "flavour", "licence"),
    [
        ("hopper", "580.173.02", "auto", "Dual MIT/GPL"),
        ("hopper", "535.309.01", "auto", "NVIDIA"),
        ("volta", "580.173.02", "auto", "NVIDIA"),
        ("ampere", "580.173.02", "proprietary", "NVIDIA"),
        ("blackwell", "580.173.02", "auto", "Dual MIT/GPL"),
    ],
)
def test_the_generation_and_the_branch_choose_the_modules(declared, architecture, version, flavour, licence):
    values = {
        "nvidia_driver_version": version,
        "nvidia_driver_architecture": architecture,
        "nvidia_driver_flavour": flavour,
    }
    role = declared("nvidia_driver", **values)
    assert role.refused == ""
    assert role.verify["Kernel modules"]["expect"] == f"^{licence}$"


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"nvidia_driver_version": "580"}, "full version"),
        ({"nvidia_driver_flavour": "open", "nvidia_driver_version": "550.163.01"}, "from branch 560 on"),
        (
            {"nvidia_driver_flavour": "open", "nvidia_driver_architecture": "volta"},
            "volta GPUs run with the proprietary",
        ),
        (
            {"nvidia_driver_flavour": "proprietary", "nvidia_driver_architecture": "blackwell"},
            "open kernel modules alone",
        ),
        (
            {"nvidia_driver_version": "550.163.01", "nvidia_driver_architecture": "blackwell"},
            "open kernel modules alone",
        ),
        (
            {"nvidia_driver_flavour": "proprietary", "nvidia_driver_version": "615.10.01"},
            "no proprietary kernel modules",
        ),
        ({"nvidia_driver_grdma_check_override": True, "nvidia_driver_version": "595.91.07"}, "from branch 595 on"),
        ({"nvidia_driver_mok_key": "/tmp/key"}, "comes with its certificate"),
        ({"nvidia_driver_flavour": "closed"}, "nvidia_driver_flavour"),
    ],
)
def test_what_cannot_run_is_refused_before_any_host_is_touched(declared, more, message):
    assert message in declared("nvidia_driver", **{**HOPPER, **more}).refused


def test_secure_boot_without_a_key_is_refused_before_anything_is_installed(declared, tmp_path):
    locked = {"secure_boot": "enabled"}
    refused = declared("nvidia_driver", facts=locked, **HOPPER)._run("install")
    assert refused[0]["failed"]
    assert "Secure Boot is on" in refused[0]["msg"]
    assert "nothing was installed" in refused[0]["msg"]
    assert refused[1] == {}, "the host was asked for nothing"
    key, certificate = tmp_path / "mok.key", tmp_path / "mok.der"
    key.write_text("private")
    certificate.write_bytes(b"\x30\x82certificate")
    values = {"nvidia_driver_mok_key": str(key), "nvidia_driver_mok_certificate": str(certificate)}
    role = declared("nvidia_driver", facts=locked, **HOPPER, **values)
    early = role.part("install")["files"]
    assert [entry["path"] for entry in early] == ["/var/lib/dkms/mok.key", "/var/lib/dkms/mok.pub"]
    assert early[0]["mode"] == "0600"
    assert base64.b64decode(role.secrets["/var/lib/dkms/mok.key"]) == b"private"
    assert "/var/lib/dkms/mok.key" not in role.files, "the key comes before the packages, not once more after them"
    assert "is already enrolled" in role.verify["Key of the kernel modules"]["expect"]
    ready = declared("nvidia_driver", os="ubuntu-24.04", facts=locked, **HOPPER, nvidia_driver_source="precompiled")
    assert ready.packages
    assert declared("nvidia_driver", facts={"secure_boot": "unknown"}, **HOPPER).packages


def test_nouveau_is_out_of_the_initial_ram_disk_and_options_follow_the_platform(declared):
    role = declared("nvidia_driver", **HOPPER)
    text = role.files[MODPROBE]
    assert "blacklist nouveau\n" in text
    assert "softdep nvidia pre: i2c_core ipmi_msghandler ipmi_devintf\n" in text
    assert text.endswith("options nvidia NVreg_RestrictProfilingToAdminUsers=0\n")
    assert role.watchers["nvidia_driver.rebuild-the-initial-ram-disk-without-nouveau"][0] == MODPROBE
    assert role.commands["Rebuild the initial ram disk without nouveau"] == ["update-initramfs", "-u", "-k", "all"]
    assert (
        declared("nvidia_driver", os="rhel-9", **HOPPER).commands["Rebuild the initial ram disk without nouveau"][0]
        == "dracut"
    )
    tray = {**HOPPER, "nvidia_driver_platform": "rack-scale", "nvidia_driver_architecture": "blackwell"}
    more = {
        "nvidia_driver_grdma_check_override": True,
        "nvidia_driver_imex_channel": True,
        "nvidia_driver_profiling": False,
    }
    text = declared("nvidia_driver", **tray, **more).files[MODPROBE]
    for option in (
        "RestrictProfilingToAdminUsers=1",
        "GrdmaPciTopoCheckOverride=1",
        "CoherentGPUMemoryMode=driver",
        "CreateImexChannel0=1",
    ):
        assert f"NVreg_{option}" in text


@pytest.mark.parametrize(
    ("modules", "parameters", "reasons"),
    [
        ({}, {}, 0),
        ({"nvidia": "580.173.02"}, {"RmProfilingAdminOnly": "0"}, 0),
        ({"nvidia": "580.126.20"}, {"RmProfilingAdminOnly": "0"}, 1),
        ({"nvidia": "580.173.02"}, {"RmProfilingAdminOnly": "1"}, 1),
        ({"nvidia": "580.173.02"}, {"RestrictProfilingToAdminUsers": "1"}, 1),
        ({"nvidia": "580.173.02"}, {"SomethingElse": "1"}, 0),
        ({"nouveau": ""}, {}, 1),
    ],
)
def test_a_reboot_is_asked_for_by_what_is_loaded(declared, modules, parameters, reasons):
    kernel = {
        "release": "6.1.0-50-amd64",
        "cmdline": "",
        "modules": modules,
        "headers": True,
        "nvidia_parameters": parameters,
    }
    assert len(declared("nvidia_driver", facts={"kernel": kernel}, **HOPPER).reboot) == reasons


def test_verification_counts_the_gpus_and_reads_the_version_of_each(declared):
    role = declared("nvidia_driver", **HOPPER, nvidia_driver_gpus=8).verify
    assert role["Number of GPUs"]["lines"] == 8
    assert role["Driver version on every GPU"]["every_line"]
    assert role["Driver built for the running kernel"]["expect"].startswith(
        "^nvidia[^/]*/580\\.173\\.02, 6\\.1\\.0-49-amd64, "
    )
    assert "Number of GPUs" not in declared("nvidia_driver", **HOPPER).verify
