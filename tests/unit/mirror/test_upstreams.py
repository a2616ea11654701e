"""The file of upstreams, and which of them serve a group of nodes."""

import re

import pytest

from rackwright import mirror
from rackwright.base.errors import UsageError
from rackwright.mirror.requested import Group, groups
from rackwright.mirror.upstreams import home, overridden, sources, vendor_url
from rackwright.model.software import Bill, Software

from .conftest import wanted

KNOWN = mirror.load()
SYSTEMS = ["debian-12", "ubuntu-22.04", "ubuntu-24.04", "rhel-9", "rocky-9"]
FULL = Bill(
    driver="580.173.02", cuda="13.0", container_toolkit="1.20.0", doca="3.2.1", rocm="7.1", amdgpu="30.20.1", kubernetes="1.34.2",
)  # fmt: skip


def group(os="debian-12", architecture="amd64", bill=FULL, asked=()):
    return Group("train", os, architecture, bill, tuple(asked))


@pytest.mark.parametrize("os", SYSTEMS)
def test_every_system_has_every_vendor(os):
    found = {one.name for one in sources(KNOWN, group(os))}
    assert {"cuda", "container-toolkit", "doca", "rocm", "amdgpu", "kubernetes"} <= found
    assert found & {"debian", "ubuntu", "rocky-baseos", "rhel-baseos"}


@pytest.mark.parametrize("os", SYSTEMS)
@pytest.mark.parametrize("architecture", ["amd64", "arm64"])
def test_every_source_is_filled_in(os, architecture):
    for one in sources(KNOWN, group(os, architecture)):
        assert not re.search(r"[{}]", one.url + one.key.url + "".join(one.suites))
        assert one.reason or re.match(r"https?://[a-z0-9.-]+/", f"{one.url}/")
        assert all(re.fullmatch("[0-9A-F]{40}", mark) for mark in one.key.fingerprints)


def test_every_entry_has_source_and_date():
    assert all(one.source and str(one.date) >= "2026" for one in (*KNOWN.upstreams, *KNOWN.files))
    assert all(bool(one.url) != bool(one.by_hand) for one in KNOWN.files)
    assert all(one.url or one.give for one in KNOWN.upstreams)


def test_only_what_the_bill_asks_for():
    assert [one.name for one in sources(KNOWN, group(bill=Bill()))] == ["debian", "debian-security"]
    found = {one.name: one for one in sources(KNOWN, group(bill=Bill(rocm="7.1")))}
    assert found["rocm"].url == "https://repo.radeon.com/rocm/apt/7.1"
    assert "amdgpu" not in found


def test_what_must_be_given():
    found = {one.name: one for one in sources(KNOWN, group("rhel-9"))}
    assert "--upstream rhel-baseos=URL" in found["rhel-baseos"].reason
    moved = overridden(KNOWN, {"rhel-baseos": "http://satellite/baseos/"})
    found = {one.name: one for one in sources(moved, group("rhel-9"))}
    assert found["rhel-baseos"].url == "http://satellite/baseos"
    assert not found["rhel-baseos"].reason


def test_another_place_as_in_a_sources_list():
    moved = overridden(KNOWN, {"cuda": "http://proxy/cuda stable main extra"})
    one = next(one for one in sources(moved, group()) if one.name == "cuda")
    assert (one.url, one.suites, one.components) == ("http://proxy/cuda", ("stable",), ("main", "extra"))
    with pytest.raises(UsageError, match="no such upstream"):
        overridden(KNOWN, {"cuba": "http://x"})


def test_the_place_for_a_package_is_the_one_that_names_it_longest():
    by_name = {one.name: one for one in sources(KNOWN, group())}

    def best(name):
        return max(by_name.values(), key=lambda one: home(one.packages, name)).name

    assert best("nvidia-container-toolkit") == "container-toolkit"
    assert best("nvidia-open") == "cuda"
    assert best("kubelet") == "kubernetes"
    assert home(by_name["cuda"].exclude, "mft-autocomplete")
    assert home(by_name["doca"].exclude, "dkms")
    assert not home(by_name["debian"].packages, "chrony")


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("nccl-tests-2.17.1.tar.gz", "https://github.com/NVIDIA/nccl-tests/archive/refs/tags/v2.17.1.tar.gz"),
        (
            "habanalabs-installer-1.21.3.sh",
            "https://vault.habana.ai/artifactory/gaudi-installer/1.21.3/habanalabs-installer.sh",
        ),
        ("something-else.run", ""),
    ],
)
def test_vendor_files(name, url):
    assert vendor_url(KNOWN, name) == (url, "")


def test_pins_hold_inside_a_group():
    software = Software(apt_mirror="http://m", driver="580.1", pools={"b": Bill(driver="590.1")})
    a, b = groups([wanted("nvidia-*", "580.1-*", pool="a"), wanted("nvidia-*", "590.1-*", pool="b")], software.bill)
    assert (a.bill.driver, b.bill.driver) == ("580.1", "590.1")
    assert a.allows("nvidia-smi", "580.1-1")
    assert not a.allows("nvidia-smi", "590.1-1")
    assert b.allows("nvidia-smi", "590.1-1")
    assert a.allows("chrony", "4")


def test_the_most_exact_pin_counts():
    (one,) = groups([wanted("nvidia-*", "580.*"), wanted("nvidia-container-*", "1.20.*"), wanted("nvidia-smi", "570.*")], lambda _pool: Bill())  # fmt: skip
    assert one.allows("nvidia-container-toolkit", "1.20.0-1")
    assert not one.allows("nvidia-container-toolkit", "580.1")
    assert one.allows("nvidia-smi", "570.2")
    assert not one.allows("nvidia-smi", "580.2")
