"""DCGM: exactly one build, the one of the CUDA major of the driver."""

from __future__ import annotations

import pytest

GIVEN = {"dcgm_version": "4.6.0", "nvidia_driver_version": "580.173.02"}
PREFIX = "datacenter-gpu-manager-4-"


@pytest.mark.parametrize(
    ("driver", "architecture", "major", "neighbour"),
    [("580.173.02", "hopper", "13", "12"), ("570.211.01", "hopper", "12", "13"), ("580.173.02", "volta", "12", "13"), ("595.91.07", "", "13", "12")],
)  # fmt: skip
def test_the_driver_chooses_the_build_and_the_other_goes(declared, driver, architecture, major, neighbour):
    values = {**GIVEN, "nvidia_driver_version": driver, "dcgm_architecture": architecture}
    role = declared("dcgm", **values)
    names = {f"{PREFIX}core", f"{PREFIX}proprietary", f"{PREFIX}cuda{major}", f"{PREFIX}proprietary-cuda{major}"}
    assert names <= set(role.packages)
    assert not {f"{PREFIX}cuda{neighbour}", f"{PREFIX}proprietary-cuda{neighbour}"} & set(role.packages)
    gone = role.part("install")["remove"]
    assert {"datacenter-gpu-manager", f"{PREFIX}cuda{neighbour}", f"{PREFIX}proprietary-cuda{neighbour}"} <= set(gone)
    assert not set(gone) & set(role.packages)


@pytest.mark.parametrize(
    ("system", "version"), [("debian-12", "1:4.6.0-*"), ("ubuntu-22.04", "1:4.6.0-*"), ("rocky-9", "4.6.0-*")]
)
def test_debian_packages_have_an_epoch(declared, system, version):
    assert set(declared("dcgm", os=system, **GIVEN).packages.values()) == {version}


@pytest.mark.parametrize(
    ("more", "message"),
    [({"dcgm_version": "3.3.9"}, "DCGM 4"), ({"nvidia_driver_version": "470.256.02"}, "branch 525 or newer")],
)
def test_what_cannot_run_is_refused(declared, more, message):
    assert declared("dcgm", **GIVEN).refused == ""
    assert message in declared("dcgm", **{**GIVEN, **more}).refused


def test_it_must_find_every_gpu(declared):
    assert declared("dcgm", **GIVEN, dcgm_gpus=8).verify["GPUs that DCGM watches"]["expect"] == "^8 GPUs found"
