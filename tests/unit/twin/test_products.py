"""Programs of container and monitoring products on a node, and the vendor files that bring them."""

from __future__ import annotations

import io
import tarfile
import tomllib
import zipfile

import pytest

from rackwright.model.site import Software
from rackwright.twin.guest.products import containerd_config, metrics, parts
from rackwright.twin.mirror import definition, run_file

MINIMUM = {
    "apt_mirror": "http://10.0.0.2/apt", "driver": "580.173.02", "fabric_manager": "580.173.02", "cuda": "13.0",
    "nccl": "2.30.4", "dcgm": "4.6.0", "container_toolkit": "1.20.0",
}  # fmt: skip


@pytest.fixture
def configured(tmp_path):
    """Loads a main file with two drop-ins, of which each has a part of the section of one plug-in."""

    def load(release: str, *drop_ins: str):
        for number, text in enumerate(drop_ins):
            (tmp_path / f"{number}.toml").write_text(text)
        main = tmp_path / "config.toml"
        main.write_text(f'version = 2\nimports = ["{tmp_path}/[0-9].toml"]\n')
        return containerd_config.load(str(main), release)

    return load


RUNC = 'version = 2\n[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]\nSystemdCgroup = true\n'
NVIDIA = 'version = 2\n[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nvidia]\nruntime_type = "x"\n'


def test_containerd_1_takes_the_section_of_the_last_drop_in(configured):
    runtimes = configured("1.7.27", RUNC, NVIDIA)["plugins"]["io.containerd.grpc.v1.cri"]["containerd"]["runtimes"]
    assert runtimes["runc"]["options"]["SystemdCgroup"] is False
    assert "nvidia" in runtimes


def test_containerd_2_merges_them_and_reads_the_older_format(configured):
    runtimes = configured("2.1.5", RUNC, NVIDIA)["plugins"]["io.containerd.cri.v1.runtime"]["containerd"]["runtimes"]
    assert runtimes["runc"]["options"]["SystemdCgroup"] is True
    assert "nvidia" in runtimes


def test_a_format_that_is_too_new_is_refused(configured):
    with pytest.raises(ValueError, match="equal to or less than `2`"):
        configured("1.7.27", "version = 3\n")


def test_what_it_prints_is_what_it_read(configured):
    configuration = configured(
        "2.1.5", RUNC, 'version = 2\n[plugins."io.containerd.grpc.v1.cri"]\nlist = ["a\\"b", "c"]\n'
    )
    assert tomllib.loads(containerd_config.text(configuration)) == configuration


def test_the_last_option_of_a_name_wins():
    assert parts.option(["--a=1", "--b", "2", "--a", "3"], "--a") == "3"
    assert parts.option(["--b", "2"], "--a") == ""


def test_a_metric_of_accelerators_needs_their_driver(tmp_path, monkeypatch):
    path = tmp_path / "accelerators.json"
    path.write_text('{"module": "no_such_module", "accelerators": [{"index": 0}]}')
    monkeypatch.setattr(metrics, "ACCELERATORS", str(path))
    assert list(metrics._accelerators("gpu_", "gpu_id")) == []


def vendor_files(**bill: str):
    return {archive.name: archive for archive in definition.run_files(Software(**{**MINIMUM, **bill}))}


def test_archives_of_vendors_hold_their_payload_and_nothing_else(tmp_path):
    archives = vendor_files(node_exporter="1.9.1", vendor_exporter="7.3.0")
    node = run_file.content_of(archives["node_exporter-1.9.1.linux-amd64.tar.gz"], tmp_path, tmp_path)
    with tarfile.open(fileobj=io.BytesIO(node)) as archive:
        assert archive.getmember("node_exporter-1.9.1.linux-amd64/node_exporter").mode & 0o111
    ascend = run_file.content_of(archives["Ascend-mindxdl-npu-exporter_7.3.0_linux-x86_64.zip"], tmp_path, tmp_path)
    with zipfile.ZipFile(io.BytesIO(ascend)) as box:
        assert box.namelist() == ["npu-exporter"]


def test_the_same_archive_has_the_same_digest(tmp_path):
    (archive,) = [
        file for file in vendor_files(node_exporter="1.9.1").values() if file.name.startswith("node_exporter")
    ]
    assert run_file.content_of(archive, tmp_path, tmp_path) == run_file.content_of(archive, tmp_path, tmp_path)


def test_what_a_bill_does_not_name_is_not_in_the_mirror():
    assert not any(name.startswith("node_exporter") for name in vendor_files())
    names = {package.name for package in definition.packages(Software(**MINIMUM))}
    assert not names & {"containerd.io", "kubelet", "doca-ofed", "datacenter-gpu-manager-exporter"}
    assert "rdma-core" in names


def test_modules_of_doca_have_the_version_of_their_drivers():
    packages = {package.name: package for package in definition.packages(Software(**{**MINIMUM, "doca": "3.2.1"}))}
    assert packages["doca-ofed"].version.startswith("3.2.1-")
    assert packages["mlnx-ofed-kernel-dkms"].upstream == "25.10.OFED.25.10.1.7.1.1"
    assert packages["mlnx-ofed-kernel-dkms"].dkms.modules["mlx5_core"].version == "25.10-1.7.1"
