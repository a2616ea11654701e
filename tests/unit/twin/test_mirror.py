import gzip
import os
import re
import subprocess
import time
from pathlib import Path

import pytest

from rackwright.base import content
from rackwright.base.errors import OutsideError, ProblemsError
from rackwright.twin import mirror
from rackwright.twin.mirror import definition, families
from rackwright.twin.mirror import package as deb
from rackwright.twin.mirror.tools import DEBIAN_PACKAGES
from tests import site_vendor
from tests.bills import NVIDIA


def quiet(_name, _data):
    pass


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def root(cache):
    """Built by somebody whose files nobody else may read."""
    before = os.umask(0o077)
    try:
        return mirror.build(cache, NVIDIA, quiet)
    finally:
        os.umask(before)


def stanzas(root):
    text = (root / "dists/stable/main/binary-amd64/Packages").read_text()
    return [dict(re.findall(r"^([\w-]+): (.*)$", part, re.MULTILINE)) for part in text.strip().split("\n\n")]


def test_versions_follow_the_bill():
    offered = mirror.versions(NVIDIA)
    assert offered["nvidia-open"] == ["580.126.20-1", "580.173.02-1", "595.91.07-1"]
    assert offered["nvidia-fabricmanager"] == offered["nvidia-open"]
    assert offered["libnccl2"] == ["2.30.4-1+cuda13.0"]
    assert offered["datacenter-gpu-manager-4-core"] == ["1:4.6.0-1"]
    assert offered["cuda-toolkit-13-0"] == ["13.0.2-1"]
    assert offered["libnvidia-container1"] == ["1.20.0-1"]


def test_a_fabric_manager_that_differs_from_the_driver_is_on_offer_too():
    offered = mirror.versions(NVIDIA.model_copy(update={"fabric_manager": "580.159.04"}))
    assert "580.159.04-1" in offered["nvidia-fabricmanager"]
    assert "580.173.02-1" in offered["nvidia-fabricmanager"]


def test_old_branches_are_part_of_the_name():
    offered = mirror.versions(NVIDIA.model_copy(update={"driver": "570.211.01", "fabric_manager": "570.211.01"}))
    assert offered["nvidia-fabricmanager-570"] == offered["libnvidia-nscq-570"] == ["570.211.01-1"]
    assert "570.211.01-1" not in offered["nvidia-fabricmanager"]
    assert "570.211.01-1" in offered["nvidia-open"]


def test_another_cuda_is_another_package():
    offered = mirror.versions(NVIDIA.model_copy(update={"cuda": "12.9.1"}))
    assert offered["cuda-toolkit-12-9"] == ["12.9.1-1"]
    assert offered["libnccl2"] == ["2.30.4-1+cuda12.9"]


def test_nothing_is_left_to_fill_in():
    for package in definition.packages(NVIDIA):
        text = repr(package.model_dump(exclude={"variables"}))
        assert not re.search(r"@[a-z_]+@", text), text


def test_every_template_and_dependency_is_there():
    packages = definition.packages(NVIDIA)
    names = {package.name for package in packages}
    for package in packages:
        needed = [file.template for file in package.files.values() if file.template] + list(package.scripts.values())
        assert [name for name in needed if not (families.FOLDER / "files" / name).is_file()] == []
        assert {dependency.split(" ")[0] for dependency in package.depends} <= names


def test_all_bad_versions_at_once():
    with pytest.raises(ProblemsError) as refused:
        definition.packages(NVIDIA.model_copy(update={"driver": "latest", "nccl": "2.30", "dcgm": "1:4.6.0"}))
    assert {problem.path for problem in refused.value.problems} == {"software.driver", "software.nccl", "software.dcgm"}


def test_the_index_names_every_package(root):
    listed = {(stanza["Package"], stanza["Version"]) for stanza in stanzas(root)}
    assert listed == {(package.name, package.version) for package in definition.packages(NVIDIA)}
    assert all((root / stanza["Filename"]).stat().st_size == int(stanza["Size"]) for stanza in stanzas(root))
    packed = root / "dists/stable/main/binary-amd64/Packages.gz"
    assert gzip.decompress(packed.read_bytes()) == packed.with_suffix("").read_bytes()


def test_the_release_is_signed_by_the_published_key(root, tmp_path):
    ring = tmp_path / "ring.gpg"
    subprocess.run(["gpg", "--batch", "--quiet", "--dearmor", "--output", ring, root / mirror.KEY_NAME], check=True)
    suite = root / "dists/stable"
    assert subprocess.run(["gpgv", "--quiet", "--keyring", ring, suite / "InRelease"]).returncode == 0
    forged = (suite / "InRelease").read_text().replace("Suite: stable", "Suite: other")
    (tmp_path / "InRelease").write_text(forged)
    assert subprocess.run(["gpgv", "--quiet", "--keyring", ring, tmp_path / "InRelease"]).returncode != 0


def test_a_second_build_is_fast_and_the_same(cache, root):
    events = []
    begun = time.process_time()
    assert mirror.build(cache, NVIDIA, lambda name, _data: events.append(name)) == root
    assert time.process_time() - begun < 0.2
    assert events == ["mirror.reused"]


def test_another_bill_keeps_the_key_and_adds_a_folder(cache, root):
    changed = mirror.build(cache, NVIDIA.model_copy(update={"nccl": "2.29.7"}), quiet)
    assert changed != root
    assert (changed / mirror.KEY_NAME).read_bytes() == (root / mirror.KEY_NAME).read_bytes()
    assert root.is_dir()


def test_a_failed_build_leaves_no_half_a_mirror(tmp_path, monkeypatch):
    def refuse(_root, _keys):
        raise OutsideError("no key today")

    monkeypatch.setattr(mirror.repository, "sign", refuse)
    with pytest.raises(OutsideError, match="no key today"):
        mirror.build(tmp_path, NVIDIA, quiet)
    assert not list(tmp_path.glob("mirror-*"))


def test_a_missing_program_is_said_with_the_package_to_install(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(OutsideError, match=r"`gpgconf` is missing.*gnupg|`apt-ftparchive` is missing.*apt-utils"):
        mirror.repository.index(tmp_path, "debian-12", "stable")


def test_a_missing_file_of_this_machine_is_said_with_the_package_to_install(tmp_path):
    machine_files = {
        entry.machine
        for offered in definition.packages(NVIDIA.model_copy(update={"os": "rocky-9"}))
        for entry in offered.files.values()
        if entry.machine
    }
    assert {Path(path).name for path in machine_files} <= DEBIAN_PACKAGES.keys()
    [path] = [path for path in machine_files if path.endswith("/firewall-cmd")]
    gone = families.PackageDefinition(summary="a test", files={"/x": families.PackageFile(machine=f"/gone{path}")})
    with pytest.raises(OutsideError, match=r"firewall-cmd is missing.*install the Debian package firewalld"):
        deb.place(gone, tmp_path, tmp_path)


def test_files_of_a_package(root, tmp_path):
    [package] = root.glob("pool/debian-12/nvidia-fabricmanager_580.173.02-1_amd64.deb")
    subprocess.run(["dpkg-deb", "--extract", package, tmp_path], check=True)
    unit = (tmp_path / "lib/systemd/system/nvidia-fabricmanager.service").read_text()
    assert "PIDFile=/run/nvidia-fabricmanager/nv-fabricmanager.pid" in unit
    program = tmp_path / "usr/bin/nv-fabricmanager"
    assert os.access(program, os.X_OK)
    assert "580.173.02" in subprocess.run([program, "--version"], capture_output=True, text=True).stdout


def test_folders_can_be_entered_whatever_the_umask(root):
    [package] = root.glob("pool/debian-12/nvidia-fabricmanager_580.173.02-1_amd64.deb")
    listing = subprocess.run(["dpkg-deb", "--contents", package], capture_output=True, text=True, check=True).stdout
    folders = [line for line in listing.splitlines() if line.startswith("d")]
    assert folders
    assert all(line.startswith("drwxr-xr-x root/root") for line in folders)
    assert "-rwxr-xr-x root/root" in listing


def test_maintainer_scripts_are_valid_shell():
    for path in sorted((families.FOLDER / "files").iterdir()):
        if path.read_text().startswith("#!/bin/sh"):
            done = subprocess.run(["sh", "-n", path], capture_output=True, text=True)
            assert done.returncode == 0, f"{Path(path).name}: {done.stderr}"


def test_packages_of_a_site_are_beside_the_shipped_ones(tmp_path):
    roots = (*content.shipped(), site_vendor.write(tmp_path))
    software = NVIDIA.model_copy(update={"vendor_driver": "1.2.2"})
    assert definition.versions(software, roots=roots)["quark-driver"] == ["1.2.2"]
    assert "quark-driver" not in definition.versions(software)
    file = tmp_path / "own" / "twin" / "packages" / "quark.yaml"
    file.write_text(
        file.read_text(encoding="utf-8").replace("    summary: Quark driver", "    sumary: Quark driver"),
        encoding="utf-8",
    )
    with pytest.raises(ProblemsError) as refused:
        definition.versions(software, roots=roots)
    assert {(problem.place, problem.path) for problem in refused.value.problems} == {
        (str(file), "packages.quark-driver.summary"), (str(file), "packages.quark-driver.sumary"),
    }  # fmt: skip
