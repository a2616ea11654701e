"""Version patterns that apt-get install understands: it takes a star at the end for a prefix, and knows no second wildcard then."""

from __future__ import annotations

import re

import pytest

GIVEN = {
    "nvidia_driver": {"nvidia_driver_version": "580.173.02"},
    "nvidia_fabric": {"nvidia_driver_version": "580.173.02", "nvidia_fabric_nvlink5": True, "nvidia_fabric_nvlsm_version": "2025.10.12"},
    "gpudirect": {
        "nvidia_driver_version": "580.173.02",
        "gpudirect_gdrcopy_version": "2.6",
        "gpudirect_gds_version": "2.29.4",
        "gpudirect_cuda": "13.0",
    },
    "mig": {"mig_profile": "all-1g.10gb", "mig_manager_version": "0.15.0"},
    "dcgm": {"dcgm_version": "4.6.0", "nvidia_driver_version": "580.173.02"},
    "cuda": {"cuda_version": "13.0", "nvidia_driver_version": "580.173.02"},
    "nccl": {"nccl_version": "2.30.4", "nccl_cuda": "13.0", "nccl_tests_version": "2.17.8"},
    "nvbandwidth": {"nvbandwidth_version": "0.9"},
}  # fmt: skip


@pytest.mark.parametrize("system", ["debian-12", "ubuntu-22.04", "ubuntu-24.04", "rhel-9"])
@pytest.mark.parametrize("role", sorted(GIVEN))
def test_every_version_is_a_prefix_or_has_its_wildcard_inside(declared, role, system):
    packages = declared(role, os=system, **GIVEN[role]).packages
    assert packages
    assert not [pattern for pattern in packages.values() if re.search(r"[*?\[].*[*]$", pattern)]
