"""Nodes as the API server prints them, and what is planned for each."""

from __future__ import annotations

from itertools import product

import pytest

from rackwright.gate.kubernetes import plan
from rackwright.gate.kubernetes_node import KubernetesNode, parse
from rackwright.platform.acceptance_guard import CONDITION, REASON, TAINT
from tests import build

DECISIONS = {accepted: build.decision(accepted=accepted) for accepted in (True, False)}
REFUSED = DECISIONS[False].reason


def node(**change) -> KubernetesNode:
    fields = {
        "name": "n",
        "cordoned": False,
        "ours": (),
        "others": (),
        "reason": "",
        "accepted": "",
        "version": "",
        "taints": (),
    }
    return KubernetesNode(**(fields | change))


@pytest.mark.parametrize("empty", [{}, {"taints": None}, {"taints": []}])
@pytest.mark.parametrize("meta", [{}, {"annotations": None}, {"annotations": {}}])
@pytest.mark.parametrize("status", [{}, {"status": None}, {"status": {"conditions": None}}])
def test_a_node_without_taints_annotations_and_conditions(empty, meta, status) -> None:
    data = {"metadata": {"name": "n", "resourceVersion": 7, **meta}, "spec": empty, **status}
    assert parse(data) == node(version="7")


def test_every_field_of_a_node() -> None:
    taints = [
        {"key": TAINT, "value": "pending", "effect": "NoSchedule"},
        {"key": TAINT, "value": "refused", "effect": "NoExecute"},
        {"key": TAINT, "value": "mine", "effect": "NoSchedule"},
        {"key": "spot", "effect": "NoSchedule"},
        {"key": "spot", "effect": "PreferNoSchedule"},
        {"key": "fan", "value": "slow", "effect": "NoExecute"},
    ]
    data = {
        "metadata": {"name": "n", "resourceVersion": "7", "annotations": {"other": "x", REASON: "why"}},
        "spec": {"taints": taints, "unschedulable": True},
        "status": {"conditions": [{"type": "Ready", "status": "True"}, {"type": CONDITION, "status": "False"}]},
    }
    assert parse(data) == node(
        cordoned=True,
        ours=("pending:NoSchedule", "refused:NoExecute"),
        others=(f"{TAINT}=mine:NoSchedule", "spot:NoSchedule", "fan=slow:NoExecute"),
        reason="why",
        accepted="False",
        version="7",
        taints=tuple(taints),
    )


@pytest.mark.parametrize(
    ("ours", "reason", "accepted"),
    [*product([("refused:NoSchedule",), ("refused:NoExecute",), ()], [REFUSED, "another"], ["False", "True", ""])],
)
def test_a_refused_node_is_left_alone_only_when_everything_says_so(ours, reason, accepted) -> None:
    says = plan(DECISIONS[False], node(ours=ours, reason=reason, accepted=accepted))
    current = (ours, reason, accepted) == (("refused:NoSchedule",), REFUSED, "False")
    assert says == (("nothing", f"stays tainted: {REFUSED}") if current else ("drain", REFUSED))


@pytest.mark.parametrize(
    ("change", "verb", "says"),
    [
        ({"accepted": "True"}, "nothing", "in service already"),
        ({"accepted": "False"}, "resume", "accepted: {reason}"),
        ({"accepted": "True", "ours": ("pending:NoSchedule",)}, "resume", "accepted: {reason}"),
        ({"accepted": "True", "cordoned": True}, "leave", "accepted{note}cordoned{end}"),
        ({"accepted": "True", "others": ("a:b", "c:d")}, "leave", "accepted{note}taint a:b; taint c:d{end}"),
        ({"cordoned": True, "others": ("a:b",)}, "resume", "accepted: {reason}{note}cordoned; taint a:b{end}"),
    ],
)
def test_what_to_do_with_an_accepted_node(change, verb, says) -> None:
    words = {"reason": DECISIONS[True].reason, "note": "; kept out by others (", "end": "): left to whoever did it"}
    assert plan(DECISIONS[True], node(**change)) == (verb, says.format(**words))
