import tomllib

import pytest

from tests.unit.roles.conftest import SYSTEMS

DROP_IN, UNIT = "/etc/containerd/conf.d/99-nvidia.toml", "/etc/systemd/system/nvidia-cdi-refresh.service"
ASKED = {"container_toolkit_version": "1.20.0"}
PARTS = {
    "nvidia-container-toolkit",
    "nvidia-container-toolkit-base",
    "libnvidia-container-tools",
    "libnvidia-container1",
}


@pytest.mark.parametrize("os", SYSTEMS)
def test_all_four_packages_have_one_version(declared, os):
    assert declared("container_toolkit", os=os, **ASKED).packages == dict.fromkeys(PARTS, "1.20.0-*")


def test_the_drop_in_says_again_what_containerd_1_would_take_from_others(declared):
    mine = tomllib.loads(declared("container_toolkit", **ASKED, container_toolkit_containerd="1.7.27").files[DROP_IN])
    section = mine["plugins"]["io.containerd.grpc.v1.cri"]
    assert section["containerd"]["runtimes"]["runc"]["options"]["SystemdCgroup"] is True
    assert section["registry"]["config_path"] == "/etc/containerd/certs.d"
    assert "nvidia" in section["containerd"]["runtimes"]


def test_containerd_2_gets_the_runtime_alone(declared):
    mine = tomllib.loads(declared("container_toolkit", **ASKED, container_toolkit_containerd="2.1.5").files[DROP_IN])
    assert mine["version"] == 3
    assert list(mine["plugins"]["io.containerd.cri.v1.runtime"]["containerd"]["runtimes"]) == ["nvidia"]


def test_the_main_file_belongs_to_the_role_that_runs_containerd(declared):
    alone = declared("container_toolkit", **ASKED)
    beside = declared("container_toolkit", **ASKED, rackwright_roles=["container_runtime", "container_toolkit"])
    assert "/etc/containerd/config.toml" in alone.files
    assert "/etc/containerd/config.toml" not in beside.files
    assert (alone.commands, beside.commands) == ({"Restart containerd": ["systemctl", "try-restart", "containerd"]}, {})


def test_releases_without_units_for_cdi_get_one(declared):
    old, new = declared("container_toolkit", container_toolkit_version="1.17.8"), declared("container_toolkit", **ASKED)
    assert "nvidia-ctk cdi generate" in old.files[UNIT]
    assert new.files[UNIT] == ""
    assert list(old.units) == ["nvidia-cdi-refresh"]
    assert list(new.units) == ["nvidia-cdi-refresh", "nvidia-cdi-refresh.path"]


def test_libraries_of_another_driver_in_cdi_are_found(declared):
    role = declared("container_toolkit", **ASKED, container_toolkit_driver="580.173.02").verify
    assert "580\\.173\\.02" in role["Libraries of the driver in CDI"]["expect"]
    assert "Libraries of the driver in CDI" not in declared("container_toolkit", **ASKED).verify


@pytest.mark.parametrize(("version", "message"), [("1.17.7", "known to be bad"), ("1.20", "must be exact")])
def test_bad_versions_are_refused(declared, version, message):
    assert message in declared("container_toolkit", container_toolkit_version=version).refused
    assert declared("container_toolkit", **ASKED).refused == ""
