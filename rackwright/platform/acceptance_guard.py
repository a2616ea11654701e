"""Protects the taint of nodes that wait for acceptance: only the account of the gate may lift it, and tenants cannot
bypass it.

Two policies of the API server itself (``admissionregistration.k8s.io/v1``, served from Kubernetes 1.30 on), which need
no webhook, and the account that is exempt. The first is about nodes of the design: they register with the taint, keep
it until the gate lifts it, and only the gate writes its condition and reason. The second is about pods in namespaces of
tenants: none tolerates the taint or names its node.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import polars as pl

from rackwright.model.design import Design
from rackwright.platform import admission
from rackwright.platform.object import DOMAIN, Object, make

TAINT = f"{DOMAIN}/acceptance"
"""Key of the taint; the role `kubernetes_node` lets the kubelet register with it."""
REASON = f"{DOMAIN}/acceptance-reason"
"""Annotation beside the taint: why it is set, or why it was lifted."""
CONDITION = "RackwrightAccepted"
RBAC = "rbac.authorization.k8s.io"
NAME = "rackwright-gate"
NODE_POLICY, POD_POLICY = "rackwright-acceptance", "rackwright-acceptance-pods"
SERVICE_ACCOUNT = "system:serviceaccount:"
EFFECTS = "['NoSchedule', 'NoExecute']"


def objects(design: Design) -> list[Object]:
    """The account of the gate, the policies, and their bindings; empty for a site without nodes in Kubernetes."""
    control = design.site.control.kubernetes
    ours = (pl.col("role") == "accelerator") & (pl.col("scheduler") == "kubernetes")
    nodes = design.node_table.filter(ours)["node"].to_list()
    if control is None or not nodes:
        return []
    return [
        *_account(control.gate_user),
        _node_policy(nodes, control.gate_user),
        admission.binding(NODE_POLICY),
        _pod_policy(control.gate_user),
        admission.binding(POD_POLICY, admission.IN_TENANTS),
    ]


def _account(user: str) -> Iterator[Object]:
    """Rights of the gate on nodes; a service account is created with its namespace."""
    api = f"{RBAC}/v1"
    subject = {"kind": "User", "name": user, "apiGroup": RBAC}
    if user.startswith(SERVICE_ACCOUNT):
        space, name = user.removeprefix(SERVICE_ACCOUNT).split(":")
        yield make("v1", "Namespace", space)
        yield make("v1", "ServiceAccount", name, space)
        subject = {"kind": "ServiceAccount", "name": name, "namespace": space}
    rules = [
        {"apiGroups": [""], "resources": ["nodes"], "verbs": ["get", "list", "patch"]},
        {"apiGroups": [""], "resources": ["nodes/status"], "verbs": ["get", "patch"]},
    ]
    yield make(api, "ClusterRole", NAME, rules=rules)
    role = {"apiGroup": RBAC, "kind": "ClusterRole", "name": NAME}
    yield make(api, "ClusterRoleBinding", NAME, roleRef=role, subjects=[subject])


def _node_policy(nodes: list[str], user: str) -> Object:
    """The policy of changes to nodes that only the gate may make."""
    creates, in_design = "request.operation == 'CREATE'", f"object.metadata.name in {json.dumps(nodes)}"
    rules = [
        (
            f"!({creates}) || !({in_design}) || ({_is_tainted('object')})",
            f"this node is in the design of the site: it registers with the taint {TAINT}",
        ),
        (
            f"{creates} || !({_is_tainted('oldObject')}) || ({_is_tainted('object')})",
            f"the taint {TAINT} is lifted by the gate alone, when the node is accepted: run rackwright gate",
        ),
        (
            f"{_condition('object')} == {_condition('oldObject')}",
            f"the condition {CONDITION} is written by the gate alone",
        ),
        (f"{_reason('object')} == {_reason('oldObject')}", f"the annotation {REASON} is written by the gate alone"),
    ]
    requests = admission.Requests("", "v1", ["nodes", "nodes/status"], ["CREATE", "UPDATE"])
    return admission.policy(NODE_POLICY, requests, rules, _not_of(user))


def _is_tainted(node: str) -> str:
    return f"has({node}.spec.taints) && {node}.spec.taints.exists(t, t.key == '{TAINT}' && t.effect in {EFFECTS})"


def _condition(node: str) -> str:
    """Expression for the status of our condition, as a list; a node that is created has no old object."""
    present = f"{node} != null && has({node}.status) && has({node}.status.conditions)"
    return f"({present} ? {node}.status.conditions : []).filter(c, c.type == '{CONDITION}').map(c, c.status)"


def _reason(node: str) -> str:
    notes = f"{node}.metadata.annotations"
    return f"({node} != null && has({notes}) && '{REASON}' in {notes} ? {notes}['{REASON}'] : '')"


def _pod_policy(user: str) -> Object:
    """The policy of pods in namespaces of tenants."""
    effect = "(!has(t.effect) || t.effect == '' || t.effect == 'NoSchedule')"
    every = "(!has(t.key) || t.key == '')"
    tolerated = f"has(object.spec.tolerations) && object.spec.tolerations.exists(t, ({every} || t.key == '{TAINT}') && {effect})"
    rules = [
        (f"!({tolerated})", f"pods of tenants do not tolerate {TAINT}, nor everything: nodes that wait for acceptance take none"),
        ("request.operation != 'CREATE' || !has(object.spec.nodeName) || object.spec.nodeName == ''",
         "pods of tenants do not name their node: the scheduler keeps them away from nodes that wait for acceptance"),
    ]  # fmt: skip
    return admission.policy(
        POD_POLICY, admission.Requests("", "v1", ["pods"], ["CREATE", "UPDATE"]), rules, _not_of(user)
    )


def _not_of(user: str) -> list[Object]:
    return [{"name": "not-the-gate", "expression": f"request.userInfo.username != {json.dumps(user)}"}]
