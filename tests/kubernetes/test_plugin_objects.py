"""The life of objects on a real API server, as the plugin carries it out; the engine is in `test_stack`."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from rackwright.base.errors import UsageError
from rackwright.kubernetes.client import ApiClient
from rackwright.kubernetes.errors import ClusterError, ConflictError, OwnedElsewhereError
from rackwright.kubernetes.objects import Objects, compare
from tests.kubernetes.control_plane import ControlPlane
from tests.ports import free_port

pytestmark = [pytest.mark.kubernetes, pytest.mark.kubectl, pytest.mark.xdist_group("kubernetes")]
SPACE = "plugin-tests"
FORCED = {"pulumi.com/patchForce": "true"}


def objects(plane: ControlPlane) -> Objects:
    result = Objects()
    result.configure({"kubeconfig": plane.kubeconfig()})
    return result


def config_map(name: str, *, annotations: dict[str, str] | None = None, **data: str) -> dict[str, Any]:
    metadata = {"name": name, "namespace": SPACE} | ({"annotations": annotations} if annotations else {})
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


@pytest.fixture(scope="module", autouse=True)
def _namespace(plane: ControlPlane) -> None:
    plane.do("create", "namespace", SPACE)


def create(plane: ControlPlane, entry: dict[str, Any], **more: Any) -> dict[str, Any]:
    return asyncio.run(objects(plane).create(entry, **{"patch": False, "preview": False} | more))


def test_a_preview_leaves_nothing_behind_and_a_create_does(plane):
    entry = config_map("life", key="one")
    assert create(plane, entry, preview=True)["metadata"]["uid"]
    assert plane.kubectl("get", "configmap", "life", f"--namespace={SPACE}").returncode == 1
    state = create(plane, entry)
    assert not any(vars(compare(state, entry, patch=False)).values())
    newer = config_map("life", key="two")
    assert compare(state, newer, patch=False).changed == ("data.key",)
    newest = asyncio.run(objects(plane).update(state, newer, patch=False, preview=False))
    assert newest["data"] == {"key": "two"}
    assert asyncio.run(objects(plane).delete(newest, patch=False)) == ""
    assert asyncio.run(objects(plane).read(newer, newest, patch=False)) is None
    assert asyncio.run(objects(plane).delete(newest, patch=False)) == "was gone already"


def test_what_the_server_writes_its_own_way_is_no_drift(plane):
    spec = {"hard": {"cpu": "1000m", "requests.nvidia.com/gpu": "8"}}
    entry = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "own", "namespace": SPACE}, "spec": spec}
    state = create(plane, entry)
    assert state["spec"]["hard"]["cpu"] == "1"
    assert compare(state, entry, patch=False).drifted == ()
    plane.do(
        "patch", "resourcequota", "own", f"--namespace={SPACE}", "--type=merge", '--patch={"spec":{"hard":{"cpu":"3"}}}'
    )
    drifted = asyncio.run(objects(plane).read(entry, state, patch=False))
    assert compare(drifted, entry, patch=False).drifted == ("spec.hard.cpu",)


def test_a_field_that_somebody_else_has_taken_is_named_with_its_owner_unless_forced(plane):
    state = create(plane, config_map("shared", key="ours"))
    plane.do(
        "patch", "configmap", "shared", f"--namespace={SPACE}", "--type=merge", '--patch={"data":{"key":"theirs"}}'
    )
    with pytest.raises(ConflictError, match=r"ConfigMap plugin-tests/shared: data.key belongs to kubectl-patch; give"):
        asyncio.run(objects(plane).update(state, config_map("shared", key="ours"), patch=False, preview=False))
    forced = config_map("shared", key="ours", annotations=FORCED)
    assert asyncio.run(objects(plane).update(state, forced, patch=False, preview=False))["data"] == {"key": "ours"}


def test_an_object_of_others_is_neither_taken_nor_deleted(plane):
    plane.do("create", "configmap", "theirs", f"--namespace={SPACE}", "--from-literal=key=theirs")
    entry = config_map("theirs", key="ours", annotations=FORCED)
    for preview in (True, False):
        with pytest.raises(OwnedElsewhereError, match="it exists already, and belongs to kubectl-create"):
            create(plane, entry, preview=preview)
    state = create(plane, config_map("replaced", key="ours"))
    plane.do("delete", "configmap", "replaced", f"--namespace={SPACE}")
    plane.do("create", "configmap", "replaced", f"--namespace={SPACE}", "--from-literal=key=theirs")
    with pytest.raises(OwnedElsewhereError):
        asyncio.run(objects(plane).update(state, config_map("replaced", key="new"), patch=False, preview=False))
    assert "managed by kubectl-create" in asyncio.run(objects(plane).delete(state, patch=False))
    assert plane.do("get", "configmap", "replaced", f"--namespace={SPACE}", "--output=jsonpath={.data.key}") == "theirs"


def test_our_own_object_is_adopted_when_the_record_of_it_is_lost(plane):
    create(plane, config_map("lost", key="one"))
    assert create(plane, config_map("lost", key="two"))["data"] == {"key": "two"}


def test_a_patch_owns_labels_of_an_object_of_others_and_gives_them_up(plane):
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "plugin-node"}}
    patch = {**node, "metadata": {"name": "plugin-node", "labels": {"rackwright.io/rack": "r1"}}}
    with pytest.raises(ClusterError, match="there is no such object to patch"):
        create(plane, patch, patch=True)
    plane.do(
        "create", "--filename=-", feed=json.dumps({**node, "metadata": {"name": "plugin-node", "labels": {"a": "b"}}})
    )
    state = create(plane, patch, patch=True)
    assert state["metadata"]["labels"] == {"rackwright.io/rack": "r1"}, "what others set is not recorded"
    assert asyncio.run(objects(plane).delete(state, patch=True)) == ""
    labels = json.loads(plane.do("get", "node", "plugin-node", "--output=json"))["metadata"]["labels"]
    assert labels == {"a": "b"}


def test_a_patch_is_one_call_and_never_makes_an_object(plane):
    nodes = [
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": f"plugin-{name}"}} for name in ("present", "gone")
    ]
    plane.do("create", "--filename=-", feed=json.dumps({"apiVersion": "v1", "kind": "List", "items": nodes}))
    present, gone = ({**node, "metadata": {**node["metadata"], "labels": {"a": "b"}}} for node in nodes)

    async def both() -> None:
        entries = objects(plane)
        state = await entries.create(present, patch=True, preview=False)
        plane.do("delete", "node", "plugin-gone")
        await entries.update(state, present, patch=True, preview=False)
        with pytest.raises(ClusterError, match="plugin-gone"):
            await entries.create(gone, patch=True, preview=False)

    asyncio.run(both())
    events = [json.loads(line) for line in plane.audit_log.read_text().splitlines()]
    verbs = [event["verb"] for event in events if event.get("objectRef", {}).get("name") == "plugin-present"]
    assert verbs.count("patch") == 2
    assert "get" not in verbs
    assert plane.kubectl("get", "node", "plugin-gone").returncode == 1


def test_texts_of_a_secret_are_kept_as_the_server_has_them(plane):
    metadata = {"name": "words", "namespace": SPACE}
    entry = {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "stringData": {"password": "open"}}
    state = create(plane, entry)
    assert state["data"] == {"password": "b3Blbg=="}
    assert not any(vars(compare(state, entry, patch=False)).values())


def test_what_nobody_serves_is_said_and_a_preview_waits_for_it(plane):
    foreign = {"apiVersion": "batch.volcano.sh/v1", "kind": "Job", "metadata": {"name": "x", "namespace": SPACE}}
    assert create(plane, foreign, preview=True) == foreign
    with pytest.raises(ClusterError, match=r"does not serve Job of batch.volcano.sh/v1: install the component"):
        create(plane, foreign)
    with pytest.raises(ClusterError, match=r"data.key: .*|\.dat: field not declared in schema"):
        create(plane, {**config_map("typo"), "dat": {"key": "one"}})


def test_it_waits_for_a_condition_and_says_which_is_missing(plane):
    waiting = config_map("waiting", annotations={"pulumi.com/waitFor": "condition=Ready"}, key="one")
    with pytest.raises(ClusterError, match=r"not ready after 0 s: condition Ready is not set yet"):
        create(plane, waiting, seconds=0.05)


def test_an_api_server_that_is_away_or_refuses_the_account(plane):
    away = plane.kubeconfig().replace(f":{plane.port}", f":{free_port()}")
    with pytest.raises(ClusterError, match=r"https://127.0.0.1:\d+ cannot be reached \(Connection refused\)"):
        asyncio.run(ApiClient.connect(away))
    with pytest.raises(ClusterError, match="does not accept the account of the kubeconfig"):
        asyncio.run(ApiClient.connect(plane.kubeconfig().replace(plane.token, "wrong")))
    with pytest.raises(UsageError, match=r"the kubeconfig /nowhere/config cannot be read"):
        asyncio.run(ApiClient.connect("/nowhere/config"))
