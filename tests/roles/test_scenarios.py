"""Every role by itself on a host that is fresh but for the roles before it: a check tells the truth, one play brings it about, a second one changes nothing."""

from __future__ import annotations

import pytest

from tests.roles.cast import stages

pytestmark = [pytest.mark.twin, pytest.mark.slurm]
ROLES = [scene.role for stage in stages() for scene in stage.scenes]
every_role = pytest.mark.parametrize("scenario", sorted(ROLES), indirect=True)


@every_role
def test_a_check_of_a_fresh_host_says_that_something_would_change(scenario):
    count = scenario.of(scenario.theatre.check)
    assert count.good, count.failures
    assert count.changed


@every_role
def test_the_role_brings_its_host_to_what_it_declares(scenario):
    count = scenario.of(scenario.theatre.converge)
    assert count.good, count.failures
    assert count.changed, "the check changed something"


@every_role
def test_a_second_run_changes_nothing(scenario):
    count = scenario.of(scenario.theatre.again)
    assert count.good, count.failures
    assert not count.changed


@every_role
def test_verification_runs_alone_and_in_check_mode(scenario):
    count = scenario.of(scenario.theatre.verify)
    assert count.good, count.failures
    assert not count.changed
