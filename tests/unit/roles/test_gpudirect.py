"""GPUDirect: DMA-BUF first, nvidia-peermem where it must be, GDRCopy and GPUDirect Storage where they are required."""

from __future__ import annotations

from pathlib import Path

import pytest

from rackwright.base import yaml_text

ROLES = Path(__file__).resolve().parents[3] / "roles"
HOPPER = {"nvidia_driver_version": "580.173.02", "gpudirect_architecture": "hopper"}
UNIT = "/etc/systemd/system/rackwright-gpudirect.service"


def kernel(release):
    return {"kernel": {"release": release, "cmdline": "", "modules": {}, "headers": True}}


@pytest.mark.parametrize(
    ("release", "more", "peermem"),
    [
        ("6.1.0-50-amd64", {}, False),
        ("5.4.0-150-generic", {}, True),
        ("5.14.0-570.el9.x86_64", {}, False),
        ("6.1.0-50-amd64", {"nvidia_driver_flavour": "proprietary"}, True),
        ("6.1.0-50-amd64", {"gpudirect_architecture": "volta"}, True),
        ("6.1.0-50-amd64", {"nvidia_driver_version": "535.309.01"}, True),
        ("6.1.0-50-amd64", {"gpudirect_mode": "peermem"}, True),
        ("5.4.0-150-generic", {"gpudirect_rdma": False}, False),
    ],
)
def test_dma_buf_wherever_kernel_and_driver_can(declared, release, more, peermem):
    role = declared("gpudirect", facts=kernel(release), **{**HOPPER, **more})
    assert role.refused == ""
    assert ("modprobe --all nvidia-peermem\n" in role.files[UNIT]) == peermem
    assert ("rackwright-gpudirect" in role.units) == peermem
    assert ("nvidia-peermem" in role.verify) == peermem


def test_the_module_comes_after_the_rdma_stack(declared):
    text = declared("gpudirect", **HOPPER, gpudirect_mode="peermem").files[UNIT]
    assert "After=systemd-modules-load.service openibd.service" in text


@pytest.mark.parametrize("system", ["debian-12", "ubuntu-24.04", "rhel-9"])
def test_the_old_peer_memory_module_goes_and_is_not_unloaded(declared, system):
    role = declared("gpudirect", os=system, **HOPPER)
    assert "nvidia-peer-memory-dkms" in role.part("install")["remove"]
    assert not any("rmmod" in word or "-r" in word for run in role.commands.values() for word in run)
    assert role.verify["Old peer memory module"]["expect_not"] == "^nv_peer_mem "


def test_gdrcopy_and_gpudirect_storage_are_what_the_bill_asks_for(declared):
    assert declared("gpudirect", **HOPPER).packages == {}
    requested = {"gpudirect_gdrcopy_version": "2.6", "gpudirect_gds_version": "2.29.4", "gpudirect_cuda": "13.0"}
    role = declared("gpudirect", **HOPPER, **requested, gpudirect_storage=["lustre"])
    assert role.refused == ""
    assert role.packages["gdrdrv-dkms"] == role.packages["libgdrapi"] == "2.6-*"
    assert role.packages["nvidia-fs-dkms"] == "2.29.4-*"
    assert role.packages["libcufile-13-0"] == "*"
    assert "modprobe --all gdrdrv nvidia-fs\n" in role.files[UNIT]
    assert "gdrcopy-kmod" in declared("gpudirect", os="rhel-9", **HOPPER, gpudirect_gdrcopy_version="2.6").packages


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"gpudirect_mode": "dma-buf", "nvidia_driver_flavour": "proprietary"}, "needs the open kernel modules"),
        ({"gpudirect_gds_version": "2.29.4", "gpudirect_cuda": "13.0"}, "no storage of this pool has a direct path"),
        ({"gpudirect_gds_version": "2.29.4", "gpudirect_cuda": "13.0", "gpudirect_storage": ["cephfs"]}, "marked gpudirect are cephfs"),
        ({"gpudirect_gds_version": "2.29.4", "gpudirect_storage": ["weka"]}, "give software.cuda"),
        (
            {"gpudirect_gds_version": "2.29.4", "gpudirect_cuda": "12.9", "gpudirect_storage": ["weka"], "gpudirect_architecture": "volta"},
            "nvidia-fs needs the open kernel modules",
        ),
        ({"gpudirect_gdrcopy_version": "latest"}, "software.gdrcopy as 2.6"),
    ],
)  # fmt: skip
def test_what_cannot_run_is_refused(declared, more, message):
    assert message in declared("gpudirect", **{**HOPPER, **more}).refused


def test_dma_buf_on_an_old_kernel_is_refused_by_the_host_itself(declared):
    result, sent = declared("gpudirect", facts=kernel("5.4.0-150-generic"), **HOPPER, gpudirect_mode="dma-buf")._run(
        "install"
    )
    assert "Linux 5.12 or newer" in result["msg"]
    assert sent == {}


def test_the_rule_for_open_modules_is_that_of_the_driver():
    mine, driver = (
        yaml_text.load((ROLES / role / "vars/main.yml").read_text()) for role in ("gpudirect", "nvidia_driver")
    )
    for name in ("proprietary_only", "first_open_branch"):
        assert mine[f"__gpudirect_{name}"] == driver[f"__nvidia_driver_{name}"]
