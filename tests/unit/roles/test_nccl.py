"""NCCL, its tests, and a configuration with facts alone."""

from __future__ import annotations

import pytest

GIVEN = {"nccl_version": "2.30.4", "nccl_cuda": "13.0"}
RAILS = ["mlx5_0", "mlx5_3"]


@pytest.mark.parametrize(
    ("system", "library"), [("debian-12", "libnccl2"), ("ubuntu-24.04", "libnccl2"), ("rhel-9", "libnccl")]
)
def test_the_library_is_the_one_of_the_cuda_release(declared, system, library):
    role = declared("nccl", os=system, **GIVEN)
    assert role.packages[library] == "2.30.4-*+cuda13.0"
    assert "nccl-tests" not in role.packages
    assert declared("nccl", os=system, **{**GIVEN, "nccl_cuda": "13.0.2"}).packages[library] == "2.30.4-*+cuda13.0"


def test_tests_come_when_the_bill_names_them(declared):
    role = declared("nccl", **GIVEN, nccl_tests_version="2.17.8")
    assert role.packages["nccl-tests"] == "2.17.8-*"
    assert "NCCL tests" in role.verify


def test_the_configuration_holds_facts_of_the_host_and_no_tuning(declared):
    host = {"addresses": {"10.64.0.16": "bond0", "10.0.0.1": "eth1"}}
    text = declared(
        "nccl", facts=host, ansible_host="10.64.0.16", nccl_ib_hca=RAILS, nccl_transport="infiniband", **GIVEN
    ).files["/etc/nccl.conf"]
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert lines == ["NCCL_IB_HCA==mlx5_0,mlx5_3", "NCCL_SOCKET_IFNAME==bond0"]
    plain = declared("nccl", **GIVEN).files["/etc/nccl.conf"]
    assert [line for line in plain.splitlines() if not line.startswith("#")] == []


def test_roce_settings_are_written_as_given(declared):
    values = {
        "nccl_transport": "roce",
        "nccl_ib_gid_index": "3",
        "nccl_ib_traffic_class": "104",
        "nccl_socket_interfaces": ["bond1"],
    }
    text = declared("nccl", **GIVEN, **values).files["/etc/nccl.conf"]
    assert "NCCL_IB_GID_INDEX=3\nNCCL_IB_TC=104\n" in text
    assert "NCCL_SOCKET_IFNAME==bond1\n" in text


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"nccl_version": "2.30"}, "full version"),
        ({"nccl_cuda": "13"}, "major and minor"),
        ({"nccl_ib_hca": ["mlx5_0", "mlx5_0"]}, "named twice"),
        ({"nccl_transport": "infiniband", "nccl_ib_gid_index": "3"}, "settings of RoCE"),
        ({"nccl_transport": "roce", "nccl_ib_traffic_class": "high"}, "are numbers"),
    ],
)
def test_what_cannot_run_is_refused(declared, more, message):
    assert message in declared("nccl", **{**GIVEN, **more}).refused
