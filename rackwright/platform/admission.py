"""Policies of the API server itself (``admissionregistration.k8s.io/v1``, served from Kubernetes 1.30 on), which need no webhook."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rackwright.platform.object import DOMAIN, Object, make

API = "admissionregistration.k8s.io/v1"
IN_TENANTS: Object = {"matchExpressions": [{"key": f"{DOMAIN}/tenant", "operator": "Exists"}]}
"""Selector of the namespaces of tenants."""


@dataclass(frozen=True)
class Requests:
    """The requests that a policy applies to."""

    group: str
    version: str
    resources: Sequence[str]
    operations: Sequence[str]


def policy(
    name: str, requests: Requests, rules: Sequence[tuple[str, str]], conditions: Sequence[Object] = ()
) -> Object:
    """A policy that refuses requests for which one of `rules` is false; each rule is an expression and the message of
    its refusal.
    """
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
    """The binding that activates the policy `name`, only in matching `namespaces` if they are given."""
    matched = {"matchResources": {"namespaceSelector": namespaces}} if namespaces else {}
    spec = {"policyName": name, "validationActions": ["Deny"], **matched}
    return make(API, "ValidatingAdmissionPolicyBinding", name, spec=spec)
