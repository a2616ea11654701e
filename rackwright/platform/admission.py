"""Policies of the API server itself (``admissionregistration.k8s.io/v1``, served from Kubernetes 1.30 on), which need no webhook."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rackwright.platform.object import DOMAIN, Object, make

API = "admissionregistration.k8s.io/v1"
IN_TENANTS: Object = {"matchExpressions": [{"key": f"{DOMAIN}/tenant", "operator": "Exists"}]}
"""Namespaces of tenants."""


@dataclass(frozen=True)
class Requests:
    """Which requests a policy looks at."""

    group: str
    version: str
    resources: Sequence[str]
    operations: Sequence[str]


def policy(
    name: str, requests: Requests, rules: Sequence[tuple[str, str]], conditions: Sequence[Object] = ()
) -> Object:
    """Refuses what any of `rules`, an expression and what it says when it is not true, does not hold for."""
    matched = {
        "apiGroups": [requests.group],
        "apiVersions": [requests.version],
        "operations": list(requests.operations),
        "resources": list(requests.resources),
    }
    spec = {
        "failurePolicy": "Fail",
        "matchConstraints": {"resourceRules": [matched]},
        **({"matchConditions": list(conditions)} if conditions else {}),
        "validations": [{"expression": expression, "message": message} for expression, message in rules],
    }
    return make(API, "ValidatingAdmissionPolicy", name, spec=spec)


def binding(name: str, namespaces: Object | None = None) -> Object:
    """Makes the policy `name` count, in some `namespaces` where they are given."""
    matched = {"matchResources": {"namespaceSelector": namespaces}} if namespaces else {}
    spec = {"policyName": name, "validationActions": ["Deny"], **matched}
    return make(API, "ValidatingAdmissionPolicyBinding", name, spec=spec)
