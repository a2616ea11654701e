"""The file of upstreams, and which of them serve a group of nodes."""

import re

import pytest

from rackwright import mirror
from rackwright.base.errors import ProblemsError, UsageError
from rackwright.mirror.install_groups import InstallGroup, group_required
from rackwright.model.software import Bill, Software
from rackwright.upstreams import match_length, override_urls, select_sources, vendor_url

from .conftest import software

KNOWN = mirror.load_upstreams()
SYSTEMS = ["debian-12", "ubuntu-22.04", "ubuntu-24.04", "rhel-9", "rocky-9", "almalinux-9"]
FULL = Bill(
    driver="580.173.02", cuda="13.0", container_toolkit="1.20.0", doca="3.2.1", rocm="7.1", amdgpu="30.20.1", kubernetes="1.34.2",
)  # fmt: skip


def group(os="debian-12", architecture="amd64", bill=FULL, requested=()):
    return InstallGroup("train", os, architecture, bill, tuple(requested))


def of_group(upstreams, nodes):
    return select_sources(upstreams, nodes.bill, nodes.os, nodes.architecture)


@pytest.mark.parametrize("os", SYSTEMS)
def test_every_system_has_every_vendor(os):
    names = {source.name for source in of_group(KNOWN, group(os))}
    assert {"cuda", "container-toolkit", "doca", "rocm", "amdgpu", "kubernetes"} <= names
    assert names & {"debian", "ubuntu", "rocky-baseos", "almalinux-baseos", "rhel-baseos"}


@pytest.mark.parametrize("os", SYSTEMS)
@pytest.mark.parametrize("architecture", ["amd64", "arm64"])
def test_every_source_is_filled_in(os, architecture):
    for source in of_group(KNOWN, group(os, architecture)):
        assert not re.search(r"[{}]", source.url + source.key.url + "".join(source.suites))
        assert source.reason or re.match(r"https?://[a-z0-9.-]+/", f"{source.url}/")
        assert all(re.fullmatch("[0-9A-F]{40}", mark) for mark in source.key.fingerprints)


def test_every_entry_has_source_and_date():
    assert all(entry.source and str(entry.date) >= "2026" for entry in (*KNOWN.upstreams, *KNOWN.files))
    assert all(bool(file.url) != bool(file.by_hand) for file in KNOWN.files)
    assert all(upstream.url or upstream.give for upstream in KNOWN.upstreams)


def test_only_what_the_bill_asks_for():
    assert [source.name for source in of_group(KNOWN, group(bill=Bill()))] == ["debian", "debian-security"]
    by_name = {source.name: source for source in of_group(KNOWN, group(bill=Bill(rocm="7.1")))}
    assert by_name["rocm"].url == "https://repo.radeon.com/rocm/apt/7.1"
    assert "amdgpu" not in by_name


def test_what_must_be_given():
    by_name = {source.name: source for source in of_group(KNOWN, group("rhel-9"))}
    assert "--upstream rhel-baseos=URL" in by_name["rhel-baseos"].reason
    moved = override_urls(KNOWN, {"rhel-baseos": "http://satellite/baseos/"})
    by_name = {source.name: source for source in of_group(moved, group("rhel-9"))}
    assert by_name["rhel-baseos"].url == "http://satellite/baseos"
    assert not by_name["rhel-baseos"].reason


def test_another_place_as_in_a_sources_list():
    moved = override_urls(KNOWN, {"cuda": "http://proxy/cuda stable main extra"})
    entry = next(source for source in of_group(moved, group()) if source.name == "cuda")
    assert (entry.url, entry.suites, entry.components) == ("http://proxy/cuda", ("stable",), ("main", "extra"))
    with pytest.raises(UsageError, match="no such upstream"):
        override_urls(KNOWN, {"cuba": "http://x"})


def test_the_place_for_a_package_is_the_one_that_names_it_longest():
    by_name = {source.name: source for source in of_group(KNOWN, group())}

    def best(name):
        return max(by_name.values(), key=lambda entry: match_length(entry.packages, name)).name

    assert best("nvidia-container-toolkit") == "container-toolkit"
    assert best("nvidia-open") == "cuda"
    assert best("kubelet") == "kubernetes"
    assert match_length(by_name["cuda"].exclude, "mft-autocomplete")
    assert match_length(by_name["doca"].exclude, "dkms")
    assert not match_length(by_name["debian"].packages, "chrony")


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
    bill_of_site = Software(apt_mirror="http://m", driver="580.1", pools={"b": Bill(driver="590.1")})
    a, b = group_required(
        [software("nvidia-*", "580.1-*", pool="a"), software("nvidia-*", "590.1-*", pool="b")], bill_of_site.bill
    )
    assert (a.bill.driver, b.bill.driver) == ("580.1", "590.1")
    assert a.allows("nvidia-smi", "580.1-1")
    assert not a.allows("nvidia-smi", "590.1-1")
    assert b.allows("nvidia-smi", "590.1-1")
    assert a.allows("chrony", "4")


def test_the_most_exact_pin_counts():
    (entry,) = group_required([software("nvidia-*", "580.*"), software("nvidia-container-*", "1.20.*"), software("nvidia-smi", "570.*")], lambda _pool: Bill())  # fmt: skip
    assert entry.allows("nvidia-container-toolkit", "1.20.0-1")
    assert not entry.allows("nvidia-container-toolkit", "580.1")
    assert entry.allows("nvidia-smi", "570.2")
    assert not entry.allows("nvidia-smi", "580.2")


def test_every_mistake_of_a_file_is_named_with_its_line(tmp_path):
    path = tmp_path / "upstreams.yaml"
    path.write_text(
        "upstreams:\n  - name: vendor\n    type: apt\n    four: []\n    os: {debian-12: {}}\n"
        "    architecture: {amd64: amd64}\n    url: http://v\n    source: a test\n    date: 2026-11-23\nfile: []\n"
    )
    with pytest.raises(ProblemsError) as raised:
        mirror.load_upstreams(path)
    assert {(problem.place, problem.path) for problem in raised.value.problems} == {
        (f"{path}:4", "upstreams[0].four"),
        (f"{path}:10", "file"),
    }


def test_a_file_without_upstreams_is_refused(tmp_path):
    path = tmp_path / "upstreams.yaml"
    path.write_text("files: []\n")
    with pytest.raises(UsageError, match="names no upstream"):
        mirror.load_upstreams(path)
