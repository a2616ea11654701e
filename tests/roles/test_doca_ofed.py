"""A host after role doca_ofed where the bill names no DOCA: the distribution's stack, and no other."""

import pytest

pytestmark = [pytest.mark.twin, pytest.mark.slurm]


def test_the_distributions_stack_is_there(host):
    for package in ("rdma-core", "ibverbs-utils", "infiniband-diags", "perftest"):
        assert host.package(package).is_installed
    for tool in ("ibv_devinfo", "ib_write_bw", "ibstat"):
        assert host.exists(tool)


def test_nothing_of_the_vendor_is(host):
    assert not host.exists("ofed_info")
    assert not host.file("/etc/systemd/system/openibd.service.d/90-rackwright.conf").exists
