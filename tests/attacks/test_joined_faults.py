"""Faults of a rehearsal that hide one another: `--fault a+b` injects both into the same nodes."""

from __future__ import annotations

import pytest

from rackwright.base.errors import UsageError
from rackwright.twin import faults
from rackwright.twin.hardware import state
from tests.build import site_design

NODES = ["train-001", "train-002"]


@pytest.mark.parametrize(
    "joined",
    [
        pytest.param("driver-other-loaded+driver-too-old", id="the same field"),
        pytest.param("drive-missing+drive-missing", id="the same fault"),
    ],
)
def test_two_faults_of_one_value(joined: str) -> None:
    injected = faults.assign_nodes([joined], NODES)
    with pytest.raises(UsageError, match="set the same value of train-001, so that only one of them would show"):
        faults.inject(state.build(site_design(), NODES), injected)


def test_two_faults_that_both_show() -> None:
    healthy, injected = state.build(site_design(), NODES), faults.assign_nodes(["drive-worn+psu-failed"], NODES)
    assert faults.inject(healthy, injected) == faults.apply_faults(healthy, injected)
