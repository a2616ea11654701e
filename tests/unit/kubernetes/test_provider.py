"""What the plugin tells the engine: secrets stay secret, names are kept, and what it cannot do is refused in a sentence."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pulumi.provider.experimental import provider as sdk
from pulumi.provider.experimental.property_value import PropertyValue

from rackwright.base.errors import UsageError
from rackwright.kubernetes import difference, objects
from rackwright.kubernetes.provider_pulumi import KubernetesProvider
from rackwright.plugin.values import plain, secret_paths, values


def urn(token: str, name: str = "x") -> str:
    return f"urn:pulumi:pod::rackwright-platform::rackwright:platform:Tenants${token}::{name}"


SECRET = urn("kubernetes:core/v1:Secret")
ENTRY = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "words"}, "stringData": {"password": "open"}}


class Recorded(objects.Objects):
    """Answers as an API server that takes everything."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[str, bool]] = []

    async def create(self, inputs: dict[str, Any], *, patch: bool, preview: bool, seconds: float = 0) -> dict[str, Any]:
        self.calls.append(("create", patch))
        live = difference.declared(inputs)
        live["metadata"] = {**live["metadata"], "uid": "1"}
        return {**live, objects.INPUTS: inputs, objects.APPLIED: difference.declared(inputs)}


async def _silent(_urn: str, _sentence: str) -> None:
    return None


def provider() -> tuple[KubernetesProvider, Recorded]:
    recorded = Recorded()
    return KubernetesProvider(recorded, _silent), recorded


def check(
    token: str, entry: dict[str, Any], *, old: dict[str, Any] | None = None, name: str = "x"
) -> sdk.CheckResponse:
    request = sdk.CheckRequest(urn(token, name), values(old or {}), values(entry), b"\x01\x02\x03\x04")
    return asyncio.run(provider()[0].check(request))


def test_words_of_a_secret_are_secret_wherever_they_are_recorded() -> None:
    checked = asyncio.run(provider()[0].check(sdk.CheckRequest(SECRET, {}, values(ENTRY), b"")))
    assert secret_paths(checked.inputs or {}) == {("stringData",)}
    response = asyncio.run(provider()[0].create(sdk.CreateRequest(SECRET, checked.inputs or {}, 0, False)))
    assert response.resource_id == "words"
    assert secret_paths(response.properties or {}) == {
        ("data",),
        (objects.INPUTS, "stringData"),
        (objects.APPLIED, "data"),
    }


def test_a_secret_value_of_any_object_stays_secret() -> None:
    inputs = values(
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"open": "a", "shut": "b"}}
    )
    inputs["data"] = PropertyValue({"open": PropertyValue("a"), "shut": PropertyValue("b", is_secret=True)})
    request = sdk.CreateRequest(urn("kubernetes:core/v1:ConfigMap"), inputs, 0, False)
    response = asyncio.run(provider()[0].create(request))
    assert ("data", "shut") in secret_paths(response.properties or {})
    assert ("data", "open") not in secret_paths(response.properties or {})


def test_the_text_of_a_kubeconfig_is_a_secret_and_its_path_is_not() -> None:
    config = urn("pulumi:providers:kubernetes")
    for text, secret in (("apiVersion: v1\nkind: Config\n", {("kubeconfig",)}), ("/etc/kubeconfig", set())):
        request = sdk.CheckRequest(config, {}, values({"kubeconfig": text}), b"")
        assert secret_paths(asyncio.run(provider()[0].check_config(request)).inputs or {}) == secret


def test_a_patch_is_told_from_an_object_by_its_type() -> None:
    engine, recorded = provider()
    node = values({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}})
    asyncio.run(engine.create(sdk.CreateRequest(urn("kubernetes:core/v1:NodePatch"), node, 0, False)))
    asyncio.run(engine.create(sdk.CreateRequest(urn("kubernetes:core/v1:Node"), node, 0, False)))
    assert recorded.calls == [("create", True), ("create", False)]


def test_an_object_without_a_name_gets_one_and_keeps_it() -> None:
    entry = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {}}
    first = plain(check("kubernetes:core/v1:ConfigMap", entry, name="settings").inputs or {})
    assert first["metadata"]["name"] == "settings-01020304"
    again = plain(check("kubernetes:core/v1:ConfigMap", entry, old=first, name="renamed").inputs or {})
    assert again["metadata"]["name"] == "settings-01020304"


def test_what_only_the_official_plugin_does_is_refused() -> None:
    with pytest.raises(UsageError, match=r"kubernetes:helm\.sh/v3:Release needs the official plugin"):
        check("kubernetes:helm.sh/v3:Release", {})
    request = sdk.CheckRequest(urn("pulumi:providers:kubernetes"), {}, values({"enableServerSideApply": "false"}), b"")
    with pytest.raises(UsageError, match="applies server-side only"):
        asyncio.run(provider()[0].check_config(request))


def test_a_change_that_needs_another_object_replaces_it() -> None:
    old = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "n"}}
    new = {**old, "metadata": {"name": "b", "namespace": "n"}}
    state = values({**old, objects.INPUTS: old})
    request = sdk.DiffRequest(urn("kubernetes:core/v1:ConfigMap"), "n/a", state, values(new), [])
    response = asyncio.run(provider()[0].diff(request))
    assert response.replaces == ["metadata.name"]
    assert not response.delete_before_replace
