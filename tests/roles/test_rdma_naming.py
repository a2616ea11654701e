"""A host after role rdma_naming: the rule of rdma-core that names devices by their slot has no effect."""

import pytest

pytestmark = [pytest.mark.twin, pytest.mark.slurm]


def test_names_stay_those_of_the_kernel(host):
    rule = host.file("/etc/udev/rules.d/60-rdma-persistent-naming.rules").content_string
    assert 'PROGRAM="rdma_rename %k NAME_KERNEL"' in rule
    assert 'NAME_FALLBACK"' not in rule


def test_without_addresses_nothing_renames(host):
    assert not host.file("/usr/local/sbin/rackwright-rdma-names").exists
