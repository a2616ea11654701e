"""Repositories that hosts install from themselves: of which vendors, and with which keys."""

from dataclasses import replace

import pytest

from rackwright.onboard import facts
from rackwright.onboard.facts.repositories import vendor_repositories
from tests.build import cooled_design

NVIDIA = "https://developer.download.nvidia.com/compute/cuda/repos"


def with_software(example, **fields):
    software = example.site.software.model_copy(update=fields)
    return replace(example, site=example.site.model_copy(update={"software": software}))


def entries(design):
    every = facts.of_node()["repositories"](facts.Context(design, {}), design.nodes("accelerator")[0])
    return {entry["name"]: entry for entry in every}


@pytest.mark.parametrize(
    ("os", "place"),
    [
        ("debian-12", "debian12"),
        ("dgx-os-6", "ubuntu2204"),
        ("dgx-os-7", "ubuntu2404"),
        ("rocky-9", "rhel9"),
        ("almalinux-9", "rhel9"),
    ],
)
def test_those_of_the_bill_and_of_the_distribution(example, os, place):
    repositories = entries(with_software(example, source="vendor", os=os))
    cuda = repositories["rackwright-cuda"]
    assert cuda["uri"] == f"{NVIDIA}/{place}/x86_64"
    assert cuda["key_url"].startswith(cuda["uri"])
    assert all(len(mark) == 40 for mark in cuda["key_fingerprints"])
    assert "rackwright-doca" not in repositories
    assert not any(name.endswith("-built") for name in repositories)
    installed = [entry for entry in repositories.values() if entry.get("keyring")]
    assert installed
    assert not any("key_url" in entry or "key_fingerprints" in entry for entry in installed)


def test_those_of_an_arm_server(example):
    """Grace: NVIDIA calls it sbsa, Debian and Ubuntu arm64."""
    repositories = entries(with_software(cooled_design(), source="vendor"))
    assert repositories["rackwright-cuda"]["uri"] == f"{NVIDIA}/ubuntu2404/sbsa"
    assert not any("x86_64" in entry["uri"] or "amd64" in entry["uri"] for entry in repositories.values())


def test_a_site_with_a_mirror_names_none(example):
    assert entries(example) == {}
    assert vendor_repositories(example) == []
    assert f"{NVIDIA}/debian12/x86_64" in vendor_repositories(with_software(example, source="vendor"))


def test_a_key_that_the_site_names_counts_instead(example):
    repositories = entries(with_software(example, source="vendor", doca="3.2.1", vendor_keys={"doca": ["A" * 40]}))
    assert repositories["rackwright-doca"]["key_fingerprints"] == ["A" * 40]
    assert repositories["rackwright-doca"]["exclude"] == ["dkms"]


def test_packages_that_their_vendor_does_not_sign_are_named(example):
    options = {"base_rpm_unsigned": ["nvidia-container-*", "other"]}
    repositories = entries(with_software(example, source="vendor", os="rocky-9", options=options))
    assert repositories["rackwright-container-toolkit"]["unsigned"] == ["nvidia-container-*"]
    assert "unsigned" not in repositories["rackwright-epel"]
