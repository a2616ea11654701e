from __future__ import annotations

from typing import Any

import pytest

from rackwright.kubernetes import difference, objects

QUEUE = {
    "kind": "ClusterQueue",
    "metadata": {"name": "q"},
    "spec": {"flavors": [{"name": "a", "n": 1}, {"name": "b", "n": 2}]},
}


@pytest.mark.parametrize(
    ("live", "shape", "expected"),
    [
        ({"a": 1, "b": 2}, {"a": 9}, {"a": 1}),
        ({"a": [{"name": "y", "v": 2, "w": 0}, {"name": "x", "v": 1}]}, {"a": [{"name": "x", "v": 9}]}, {"a": [{"name": "x", "v": 1}]}),
        ({"a": [1, 2]}, {"a": [1]}, {"a": [1, 2]}),
        ({"a": [{"v": 1, "w": 2}]}, {"a": [{"v": 9}]}, {"a": [{"v": 1}]}),
        ({}, {"a": 1}, {}),
    ],
)  # fmt: skip
def test_only_what_is_declared_is_compared(live: Any, shape: Any, expected: Any) -> None:
    assert difference.pruned(live, shape) == expected


@pytest.mark.parametrize(
    ("kind", "patch", "changed", "expected"),
    [
        ("RoleBinding", False, ("roleRef", "name"), True),
        ("RoleBinding", False, ("subjects",), False),
        ("Namespace", False, ("metadata", "name"), True),
        ("Namespace", False, ("metadata", "labels", "name"), False),
        ("Deployment", False, ("spec", "selector", "matchLabels", "app"), True),
        ("Deployment", True, ("spec", "selector"), False),
        ("Deployment", True, ("metadata", "namespace"), True),
        ("ClusterQueue", False, ("apiVersion",), False),
    ],
)
def test_what_needs_another_object(kind: str, patch: bool, changed: tuple[str, ...], expected: bool) -> None:
    assert bool(difference.replacing(kind, [changed], patch=patch)) is expected


def test_places_are_written_as_pulumi_writes_them() -> None:
    assert difference.text(("metadata", "labels", "rackwright.io/rack")) == 'metadata.labels["rackwright.io/rack"]'
    assert difference.text(("spec", "levels", 0, "nodeLabel")) == "spec.levels[0].nodeLabel"


def test_the_engine_carries_whole_numbers_as_floats() -> None:
    state = {**QUEUE, "status": {"x": 1}, "__inputs": QUEUE}
    floats = {**QUEUE, "spec": {"flavors": [{"name": "a", "n": 1.0}, {"name": "b", "n": 2.0}]}}
    assert not any(vars(objects.compare(state, floats, patch=False)).values())


def test_a_new_name_makes_a_new_object_before_the_old_one_goes() -> None:
    renamed = {**QUEUE, "metadata": {"name": "r"}}
    change = objects.compare({**QUEUE, "__inputs": QUEUE}, renamed, patch=False)
    assert change.replaces == ("metadata.name",)
    assert not change.delete_first
    binding = {"kind": "RoleBinding", "metadata": {"name": "b", "namespace": "n"}, "roleRef": {"name": "edit"}}
    changed = {**binding, "roleRef": {"name": "view"}}
    assert objects.compare({**binding, "__inputs": binding}, changed, patch=False).delete_first


@pytest.mark.parametrize(
    ("entry", "patch", "expected"),
    [
        ({"kind": "Node", "metadata": {"name": "n"}}, False, ["apiVersion"]),
        ({"apiVersion": "v1", "kind": "Node", "metadata": {}}, True, ["metadata.name"]),
        ({"apiVersion": "v1", "kind": "Pod", "metadata": {"generateName": "n"}}, False, ["metadata.generateName"]),
        (
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"annotations": {"pulumi.com/waitFor": "jsonpath=x"}}},
            False,
            ['metadata.annotations["pulumi.com/waitFor"]'],
        ),
    ],
)
def test_what_no_api_server_would_take(entry: dict[str, Any], patch: bool, expected: list[str]) -> None:
    assert [place for place, _ in objects.failures(entry, patch=patch)] == expected
