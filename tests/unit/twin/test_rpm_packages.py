"""Package definitions as rpm packages: relations, scripts, what one spec may hold, module streams."""

import json

import pytest

from rackwright.model.software import Software
from rackwright.twin import systems
from rackwright.twin.mirror import rpm_package, rpm_repository
from rackwright.twin.mirror.definition import packages, run_files
from rackwright.twin.mirror.families import PackageDefinition
from tests.bills import NVIDIA

OFFERED = packages(NVIDIA, "rocky-9")


@pytest.mark.parametrize(
    ("debian", "rpm"),
    [
        ("dkms", "dkms"),
        ("libnccl2 (= 1:2.30.4-1)", "libnccl2 = 1:2.30.4-1"),
        ("a (>= 2) | b", "(a >= 2 or b)"),
        ("kernel-core = 5.14.0", "kernel-core = 5.14.0"),
        ("installonlypkg(kernel)", "installonlypkg(kernel)"),
    ],
)
def test_relations(debian: str, rpm: str) -> None:
    assert rpm_package.relation(debian) == rpm


def test_every_package_can_be_versioned_and_needs_what_is_offered() -> None:
    """Nothing of the mirror asks for a package that neither the mirror nor the image has."""
    table = systems.load("rocky-9")
    names = {*table.packages, *(package.name for package in OFFERED)}
    names |= {entry.split(" ")[0] for package in OFFERED for entry in package.provides}
    names |= {entry for entries in table.provides.values() for entry in entries}
    needs = {entry for package in OFFERED for entry in package.depends}
    assert {entry for entry in needs if rpm_package.relation(entry).split(" ")[0] not in names} == set()
    assert all("-" not in part for package in OFFERED for part in rpm_package.evr(package.version))


def test_a_batch_has_no_name_and_no_path_twice() -> None:
    batches = rpm_package.batches(OFFERED)
    assert sum(map(len, batches)) == len(OFFERED)
    for batch in batches:
        assert len({package.name for package in batch}) == len(batch)
    assert len(batches) < 6  # each is a run of rpmbuild


def test_scripts_of_a_service_and_of_dkms_are_joined() -> None:
    package = next(package for package in OFFERED if package.name == "dkms")
    assert set(rpm_package.scripts(package)) == {"pre", "post", "preun"}
    driver = next(package for package in OFFERED if package.name == "kmod-nvidia-open-dkms")
    assert "dkms install -m nvidia" in rpm_package.scripts(driver)["post"]


def test_streams_list_the_packages_of_their_branch() -> None:
    documents = [json.loads(text) for text in rpm_repository.modules(OFFERED).replace("...\n", "").split("---\n")[1:]]
    streams = {document["data"]["stream"]: document["data"]["artifacts"]["rpms"] for document in documents}
    assert {"580-open", "580-dkms", "595-open", "open-dkms", "latest-dkms"} <= set(streams)
    assert "kmod-nvidia-open-dkms-3:580.173.02-1.el9.noarch" in streams["580-open"]
    assert not [name for name in streams["580-open"] if "595" in name or "latest" in name]
    assert not [name for name in streams["580-dkms"] if name.startswith(("nvidia-open", "kmod-nvidia-open"))]


def test_vendor_files_are_the_same_for_every_system() -> None:
    software = Software(apt_mirror="http://m/apt", node_exporter="1.9.1")
    names = [
        [package.name for package in run_files(software.model_copy(update={"os": os}))]
        for os in ("debian-12", "rocky-9")
    ]
    assert names[0] == names[1] != []


def test_a_package_may_have_a_version_of_its_own() -> None:
    assert next(package for package in OFFERED if package.name == "grubby").version == "8.40-64.el9"
    assert isinstance(OFFERED[0], PackageDefinition)
