"""The CUDA toolkit: one release, beside no other that follows the newest."""

from __future__ import annotations

import pytest

GIVEN = {"cuda_version": "13.0", "nvidia_driver_version": "580.173.02"}


@pytest.mark.parametrize("system", ["debian-12", "ubuntu-22.04", "ubuntu-24.04", "rhel-9", "rocky-9"])
def test_the_packages_carry_the_release_in_their_name(declared, system):
    role = declared("cuda", os=system, **GIVEN)
    assert role.packages == {"cuda-toolkit-13-0": "13.0.*", "cuda-toolkit-13-0-*": "13.0.*"}
    assert "cuda" in role.part("install")["remove"]
    assert "/usr/local/cuda-13.0/bin" in role.files["/etc/profile.d/90-rackwright-cuda.sh"]
    assert role.refused == ""


def test_an_update_is_pinned_when_it_is_named(declared):
    assert declared("cuda", **GIVEN, cuda_update="13.0.2").packages["cuda-toolkit-13-0"] == "13.0.2-*"
    assert declared("cuda", **{**GIVEN, "cuda_version": "13.0.1"}).packages["cuda-toolkit-13-0"] == "13.0.1-*"


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"cuda_version": "13"}, "major and minor"),
        ({"cuda_update": "12.9.1"}, "an update of CUDA 13.0"),
        ({"nvidia_driver_version": "570.211.01"}, "branch 580 or newer"),
    ],
)
def test_what_cannot_run_is_refused(declared, more, message):
    assert message in declared("cuda", **{**GIVEN, **more}).refused
