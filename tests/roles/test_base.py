"""A host after role base: packages change in onboarding and at no other time."""

import pytest

pytestmark = [pytest.mark.twin, pytest.mark.slurm]


def test_units_that_upgrade_are_masked(host):
    for name in ("unattended-upgrades.service", "apt-daily.timer", "apt-daily-upgrade.timer"):
        assert host.file(f"/etc/systemd/system/{name}").linked_to == "/dev/null"


def test_the_only_source_of_packages_is_the_sites(host):
    assert host.file("/etc/apt/sources.list.d/rackwright.sources").contains("^Signed-By: /etc/apt/keyrings/")
    assert host.run("apt-get --simulate upgrade").rc == 0


def test_programs_that_facts_rest_on_are_there(host):
    for name in ("lspci", "setpci", "modinfo", "mokutil", "ethtool"):
        assert host.exists(name), name
