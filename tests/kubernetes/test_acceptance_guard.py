"""Nobody but the gate lifts the taint of a node that waits for acceptance, on a real API server."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from subprocess import CompletedProcess

import pytest
import yaml

from rackwright import design, spec
from rackwright.platform import acceptance_guard
from rackwright.platform.acceptance_guard import CONDITION, REASON, TAINT
from tests.kubernetes.control_plane import ControlPlane
from tests.kubernetes.test_objects import ROOT
from tests.patience import until

pytestmark = [pytest.mark.kubernetes, pytest.mark.kubectl, pytest.mark.xdist_group("kubernetes")]
GATE = "system:serviceaccount:rackwright-system:rackwright-gate"
OTHER = "eve"
HELD = {"key": TAINT, "value": "pending", "effect": "NoSchedule"}
Do = Callable[..., CompletedProcess[str]]


@cache
def guarded_node() -> tuple[str, list[dict]]:
    """A node of the example, and the objects that guard it."""
    loaded = spec.load(ROOT / "inventories" / "mixed-pod" / "site.yaml")
    expanded = design.expand(loaded.site, loaded.catalog)
    name = next(node.name for node in expanded.nodes("accelerator") if node.scheduler == "kubernetes")
    return name, acceptance_guard.objects(expanded)


@pytest.fixture(scope="module")
def guarded(plane: ControlPlane):
    """The name of a node that is guarded; everything is gone afterwards, as other tests of the group make nodes too."""
    name, objects = guarded_node()
    spaces = [entry for entry in objects if entry["kind"] == "Namespace"]
    plane.do("apply", "--server-side", "--filename=-", feed=yaml.safe_dump_all(spaces))
    plane.do("apply", "--server-side", "--validate=strict", "--filename=-", feed=yaml.safe_dump_all(objects))
    admin = {"kind": "ClusterRoleBinding", "apiVersion": "rbac.authorization.k8s.io/v1", "metadata": {"name": "eve"},
             "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"},
             "subjects": [{"kind": "User", "name": OTHER, "apiGroup": "rbac.authorization.k8s.io"}]}  # fmt: skip
    tenant = {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {"name": "guarded", "labels": {"rackwright.io/tenant": "guarded"}},
    }
    plane.do("apply", "--filename=-", feed=yaml.safe_dump_all([admin, tenant]))
    bare = node("x-not-there") | {"metadata": {"name": name}}
    until(
        lambda: create(plane, bare, "--dry-run=server").returncode != 0
    )  # the policies count some time after they are there
    yield name
    plane.kubectl("delete", "node", name, "--ignore-not-found")
    rest = [entry for entry in (*objects, admin) if entry["kind"] not in ("Namespace", "ServiceAccount")]
    plane.do("delete", "--filename=-", feed=yaml.safe_dump_all(rest))  # nothing here ends namespaces


def node(name: str, *taints: dict) -> dict:
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "spec": {"taints": list(taints)}}


def create(plane: ControlPlane, entry: dict, *options: str) -> CompletedProcess[str]:
    return plane.kubectl("create", "--filename=-", f"--as={OTHER}", *options, feed=yaml.safe_dump(entry))


@pytest.fixture
def held(plane: ControlPlane, guarded: str):
    """A guarded node that waits."""
    done = create(plane, node(guarded, HELD))
    assert done.returncode == 0, done.stderr
    yield guarded
    plane.do("delete", "node", guarded)


def patch(plane: ControlPlane, name: str, user: str, change: dict, *options: str) -> CompletedProcess[str]:
    return plane.kubectl(
        "patch", "node", name, f"--as={user}", "--type=merge", f"--patch={json.dumps(change)}", *options
    )


def condition(status: str) -> dict:
    return {"status": {"conditions": [{"type": CONDITION, "status": status, "reason": "x", "message": "x"}]}}


def test_a_node_of_the_design_registers_tainted(plane, guarded) -> None:
    for taints in ([], [HELD | {"effect": "PreferNoSchedule"}], [{"key": "other", "effect": "NoSchedule"}]):
        refused = create(plane, node(guarded, *taints))
        assert "it registers with the taint rackwright.io/acceptance" in refused.stderr
    assert create(plane, node("no-node-of-ours"), "--dry-run=server").returncode == 0


def test_nobody_but_the_gate_lifts_the_taint(plane, held) -> None:
    for taints in ([], None, [HELD | {"effect": "PreferNoSchedule"}], [HELD | {"key": "other"}]):
        refused = patch(plane, held, OTHER, {"spec": {"taints": taints}})
        assert (refused.returncode, "is lifted by the gate alone" in refused.stderr) == (1, True), refused.stderr
    assert (
        patch(plane, held, OTHER, {"spec": {"taints": [HELD, {"key": "fan", "effect": "NoExecute"}]}}).returncode == 0
    )
    lifted = patch(plane, held, GATE, {"spec": {"taints": []}, "metadata": {"annotations": {REASON: "accepted"}}})
    assert lifted.returncode == 0, lifted.stderr
    assert patch(plane, held, OTHER, {"metadata": {"labels": {"x": "y"}}}).returncode == 0


def test_nobody_but_the_gate_says_why_and_that_it_is_accepted(plane, held) -> None:
    refused = patch(plane, held, OTHER, {"metadata": {"annotations": {REASON: "fine"}}})
    assert f"the annotation {REASON} is written by the gate alone" in refused.stderr
    refused = patch(plane, held, OTHER, condition("True"), "--subresource=status")
    assert f"the condition {CONDITION} is written by the gate alone" in refused.stderr
    ready = {"status": {"conditions": [{"type": "Ready", "status": "True", "reason": "x", "message": "x"}]}}
    assert patch(plane, held, OTHER, ready, "--subresource=status").returncode == 0
    written = patch(plane, held, GATE, condition("True"), "--subresource=status")
    assert written.returncode == 0, written.stderr


@pytest.mark.parametrize(
    ("spec_change", "message"),
    [
        ({"tolerations": [{"key": TAINT, "operator": "Exists"}]}, "do not tolerate"),
        ({"tolerations": [{"operator": "Exists"}]}, "do not tolerate"),
        ({"tolerations": [{"operator": "Exists", "effect": "NoSchedule"}]}, "do not tolerate"),
        ({"nodeName": "x"}, "do not name their node"),
        ({"tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists"}, {"operator": "Exists", "effect": "NoExecute"}]}, ""),
    ],
)  # fmt: skip
def test_pods_of_tenants_do_not_get_past_the_taint(plane, guarded, spec_change, message) -> None:
    spec_ = {"containers": [{"name": "x", "image": "x"}], **spec_change}
    for space in ("guarded", "default"):
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x", "namespace": space}, "spec": spec_}
        done = create(plane, pod, "--dry-run=server")
        expected = message if space == "guarded" else ""
        assert expected in done.stderr
        assert (done.returncode == 0) is not bool(expected), done.stderr
