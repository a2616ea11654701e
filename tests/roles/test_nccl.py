"""What nccl leaves on a node."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.twin, pytest.mark.slurm]


def test_library_and_tests_are_at_their_versions(host, scenario):
    assert host.package("libnccl2").version == "2.30.4-1+cuda13.0"
    assert host.package("nccl-tests").version == "2.17.8-1"
    assert {"libnccl2", "nccl-tests"} <= set(host.check_output("apt-mark showhold").split())


def test_the_configuration_names_the_compute_rails_and_the_inband_interface(host, scenario):
    lines = [line for line in host.file("/etc/nccl.conf").content_string.splitlines() if not line.startswith("#")]
    hca, interface = lines
    assert hca.startswith("NCCL_IB_HCA==mlx5_")
    assert hca.count("mlx5_") == 8
    name = interface.removeprefix("NCCL_SOCKET_IFNAME==")
    assert host.interface(name).addresses
