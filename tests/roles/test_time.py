"""A host after role time: chrony runs with the servers of the site and no others."""

import pytest

pytestmark = [pytest.mark.twin, pytest.mark.slurm]


def test_chrony_runs_and_starts_at_boot(host):
    assert host.run("systemctl is-active chrony").stdout.strip() == "active"
    assert host.run("systemctl is-enabled chrony").stdout.strip() == "enabled"


def test_it_asks_the_servers_of_the_site_alone(host):
    rows = host.check_output("chronyc -n -c sources").splitlines()
    assert [row.split(",")[2] for row in rows] == ["10.64.0.2"]


def test_the_clock_is_set_when_the_role_is_done(host):
    assert host.check_output("chronyc -c tracking").rstrip().endswith(",Normal")
