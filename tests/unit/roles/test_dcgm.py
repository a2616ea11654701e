"""DCGM: exactly one build, the one of the CUDA major of the driver."""

from __future__ import annotations

import pytest

GIVEN = {"dcgm_version": "4.6.0", "nvidia_driver_version": "580.173.02"}
PREFIX = "datacenter-gpu-manager-4-"


@pytest.mark.parametrize(
    ("driver", "architecture", "major", "other"),
    [("580.173.02", "hopper", "13", "12"), ("570.211.01", "hopper", "12", "13"), ("580.173.02", "volta", "12", "13"), ("595.91.07", "", "13", "12")],
)  # fmt: skip
def test_the_driver_chooses_the_build_and_the_other_goes(declared, driver, architecture, major, other):
    given = {**GIVEN, "nvidia_driver_version": driver, "dcgm_architecture": architecture}
    found = declared("dcgm", **given)
    names = {f"{PREFIX}core", f"{PREFIX}proprietary", f"{PREFIX}cuda{major}", f"{PREFIX}proprietary-cuda{major}"}
    assert names <= set(found.packages)
    assert not {f"{PREFIX}cuda{other}", f"{PREFIX}proprietary-cuda{other}"} & set(found.packages)
    gone = found.part("install")["remove"]
    assert {"datacenter-gpu-manager", f"{PREFIX}cuda{other}", f"{PREFIX}proprietary-cuda{other}"} <= set(gone)
    assert not set(gone) & set(found.packages)


@pytest.mark.parametrize(
    ("system", "version"), [("debian-12", "1:4.6.0-*"), ("ubuntu-22.04", "1:4.6.0-*"), ("rocky-9", "4.6.0-*")]
)
def test_debian_packages_have_an_epoch(declared, system, version):
    assert set(declared("dcgm", os=system, **GIVEN).packages.values()) == {version}


@pytest.mark.parametrize(
    ("more", "said"),
    [({"dcgm_version": "3.3.9"}, "DCGM 4"), ({"nvidia_driver_version": "470.256.02"}, "branch 525 or newer")],
)
def test_what_cannot_run_is_refused(declared, more, said):
    assert declared("dcgm", **GIVEN).refused == ""
    assert said in declared("dcgm", **{**GIVEN, **more}).refused


def test_it_must_find_every_gpu(declared):
    assert declared("dcgm", **GIVEN, dcgm_gpus=8).verify["GPUs that DCGM watches"]["expect"] == "^8 GPUs found"
