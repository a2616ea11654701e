"""Which answers of the API server show that a wall between tenants stands."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from rackwright.model.evidence.tenancy import RefusedPod, TenantWalls
from rackwright.model.verdict import Outcome
from rackwright.platform import class_guard
from validators.checks.tenancy.priority import CHECK


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (f"'rackwright-classes' denied request: {class_guard._rules({})[0][1]}", Outcome.PASS),
        ("pods is forbidden: exceeded quota: foreign-classes", Outcome.PASS),
        ("", Outcome.FAIL),
    ],
)
def test_a_class_of_others_is_refused_by_its_quota_or_by_the_policy_of_queues(answer, outcome):
    record = TenantWalls(
        pods=[], reaches=[], refusals=[RefusedPod(tenant="a", about="class", requested="x", answer=answer)]
    )
    assert CHECK.judge(SimpleNamespace(tenants=("a",), subject="n"), record).outcome is outcome
