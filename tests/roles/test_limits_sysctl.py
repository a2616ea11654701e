"""A host after role limits_sysctl: limits of sessions and services, kernel parameters in force."""

import pytest

pytestmark = [pytest.mark.twin, pytest.mark.slurm]


def test_sessions_may_lock_memory_without_limit(host):
    assert host.check_output("ulimit -l") == "unlimited"
    assert host.check_output("ulimit -n") == "1048576"


def test_services_may_lock_memory_without_limit(host):
    assert host.file("/etc/systemd/system.conf.d/90-rackwright.conf").contains("^DefaultLimitMEMLOCK=infinity$")


def test_parameters_are_in_force(host):
    assert host.sysctl("kernel.numa_balancing") == 0
    assert host.sysctl("vm.zone_reclaim_mode") == 1
    assert host.sysctl("net.ipv4.neigh.default.gc_thresh3") == 16384
