"""Shared by the checks of the isolation between tenants: where they apply, and how an answer of the API server is read."""

from __future__ import annotations

from collections.abc import Callable

from rackwright.compare.readings import every
from rackwright.model.check import Expectation
from rackwright.model.evidence.tenancy import TenantWalls
from rackwright.model.verdict import Finding

SOURCE = "tenants and classes of the site"


def is_shared(expectation: Expectation) -> bool:
    """Whether several tenants have a quota on a Kubernetes node; for `Check.applies`."""
    return expectation.node.scheduler == "kubernetes" and len(expectation.tenants) > 1


def refused(about: str, *words: str, what: str, expected: str) -> Callable[[Expectation, TenantWalls], Finding]:
    """The comparison of a check: the API server must have refused the request `about` of every tenant with some of
    these `words`.

    A refusal for another reason proves nothing about this wall, and a tenant without a test has no reading.
    """

    def judge(expectation: Expectation, record: TenantWalls) -> Finding:
        readings: dict[str, str | None] = dict.fromkeys(expectation.tenants)
        for refusal in record.refusals:
            if refusal.about == about:
                answer = (
                    "refused"
                    if any(text in refusal.answer for text in words)
                    else f"{refusal.requested} taken"
                    if not refusal.answer
                    else None
                )
                readings.pop(refusal.tenant, None)
                readings[f"{refusal.tenant} ({refusal.requested})"] = answer
        return every(
            expectation, readings, lambda answer: answer == "refused", what=what, expected=expected, source=SOURCE
        )

    return judge
