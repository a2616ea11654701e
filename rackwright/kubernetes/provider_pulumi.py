"""Translates property values and gRPC to `objects.Objects`: types ``kubernetes:*`` as `pulumi_kubernetes` registers
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Any

from pulumi.provider.experimental import provider as sdk
from pulumi.runtime.rpc import UNKNOWN

from rackwright.base.errors import UsageError
from rackwright.kubernetes import difference, objects
from rackwright.plugin import server
from rackwright.plugin.server import Log, Provider
from rackwright.plugin.values import Path, Values, plain, secret_paths, unknown_inside, values

PACKAGE = "kubernetes"
OTHERS = ("helm.sh/", "kustomize:", "yaml:")
"""Types that are not objects: only the official plugin creates objects from them."""
SECRET_FIELDS = ("data", "stringData")


class KubernetesProvider(Provider):
    """Answers the engine for objects of one API server."""

    def __init__(self, entries: objects.Objects, log: Log) -> None:
        super().__init__(log)
        self._objects = entries

    async def get_schema(self, request: sdk.GetSchemaRequest) -> sdk.GetSchemaResponse:  # noqa: ARG002 - one version
        """Only the name and version: programs use the SDK of the official plugin."""
        return sdk.GetSchemaResponse(f'{{"name": "{PACKAGE}", "version": "{version("pulumi-kubernetes")}"}}')

    async def check_config(self, request: sdk.CheckRequest) -> sdk.CheckResponse:
        """Mark the content of a kubeconfig as a secret; its path is none."""
        config = _strings(plain(request.new_inputs))
        objects.require_server_side(config)
        secret = {("kubeconfig",)} if "\n" in config.get("kubeconfig", "") else set()
        return sdk.CheckResponse(inputs=values(plain(request.new_inputs), secret | secret_paths(request.new_inputs)))

    async def diff_config(self, request: sdk.DiffRequest) -> sdk.DiffResponse:
        """Never a reason to replace objects: a kubeconfig only defines how the API server is reached."""
        return sdk.DiffResponse(changes=plain(request.old_state) != plain(request.new_inputs))

    async def configure(self, request: sdk.ConfigureRequest) -> sdk.ConfigureResponse:
        """Store how the API server is reached."""
        settings = _strings(plain(request.args))
        objects.require_server_side(settings)
        self._objects.configure({name: settings[name] for name in objects.CONFIG if settings.get(name)})
        return sdk.ConfigureResponse(accept_secrets=True, supports_preview=True, accept_resources=True)

    async def check(self, request: sdk.CheckRequest) -> sdk.CheckResponse:
        """Name an object that has no name, and report inputs that no API server would accept."""
        news, token, patch = plain(request.new_inputs), _token(request.urn), _is_patch(request.urn)
        if token.removeprefix(f"{PACKAGE}:").startswith(OTHERS):
            raise UsageError(f"{token} needs the official plugin: install pulumi-resource-kubernetes")
        failures = objects.failures(news, patch=patch)
        metadata = dict(news.get("metadata") or {})
        if not metadata.get("name") and not failures:
            old = (plain(request.old_inputs or {}).get("metadata") or {}).get("name")
            metadata["name"] = old or f"{request.name}-{bytes(request.random_seed).hex()[:8]}"
        secrets = _secrets(news, [request.new_inputs])
        checked = values({**news, "metadata": metadata}, secrets)
        return sdk.CheckResponse(inputs=checked, failures=[sdk.CheckFailure(*failure) for failure in failures])

    async def diff(self, request: sdk.DiffRequest) -> sdk.DiffResponse:
        """Differences, path by path."""
        change = objects.compare(plain(request.old_state), plain(request.new_inputs), patch=_is_patch(request.urn))
        kinds = {place: sdk.PropertyDiff(sdk.PropertyDiffKind.UPDATE, input_diff=True) for place in change.changed}
        kinds |= {place: sdk.PropertyDiff(sdk.PropertyDiffKind.UPDATE, input_diff=False) for place in change.drifted}
        kinds |= {
            place: sdk.PropertyDiff(sdk.PropertyDiffKind.UPDATE_REPLACE, input_diff=True) for place in change.replaces
        }
        return sdk.DiffResponse(
            changes=bool(kinds),
            replaces=list(change.replaces),
            stables=[],
            delete_before_replace=change.delete_first,
            diffs=[*change.changed, *change.drifted],
            detailed_diff=kinds,
        )

    async def create(self, request: sdk.CreateRequest) -> sdk.CreateResponse:
        """Create an object, or own fields of an existing one."""
        inputs, patch = plain(request.properties), _is_patch(request.urn)
        if unknown_inside(inputs):
            return sdk.CreateResponse("", values(inputs, _secrets(inputs, [request.properties])))
        work = self._objects.create(inputs, patch=patch, preview=request.preview, seconds=request.timeout)
        state = await self._tracked(work)
        identity = "" if request.preview else objects.identity_text(inputs)
        return sdk.CreateResponse(identity, _marked(state, [request.properties]))

    async def update(self, request: sdk.UpdateRequest) -> sdk.UpdateResponse:
        """Update a recorded object to new inputs."""
        state, inputs, patch = plain(request.olds), plain(request.news), _is_patch(request.urn)
        if unknown_inside(inputs):
            return sdk.UpdateResponse(values(inputs, _secrets(inputs, [request.news])))
        work = self._objects.update(state, inputs, patch=patch, preview=request.preview, seconds=request.timeout)
        return sdk.UpdateResponse(_marked(await self._tracked(work), [request.news]))

    async def read(self, request: sdk.ReadRequest) -> sdk.ReadResponse:
        """The current object; if nothing is recorded (import) its identity is derived from type and id."""
        inputs = plain(request.inputs) or _imported(_token(request.urn), request.resource_id)
        state = plain(request.properties)
        work = self._objects.read(inputs, state, patch=_is_patch(request.urn))
        live = await self._tracked(work)
        if live is None:
            return sdk.ReadResponse("", {}, {})
        marks = [request.inputs, request.properties]
        inputs = inputs if request.inputs else difference.declared(live)
        return sdk.ReadResponse(request.resource_id, _marked(live, marks), values(inputs, _secrets(inputs, marks)))

    async def delete(self, request: sdk.DeleteRequest) -> None:
        """Delete an object that is still ours, or give up the fields that a patch owns."""
        work = self._objects.delete(plain(request.properties), patch=_is_patch(request.urn), seconds=request.timeout)
        if sentence := await self._tracked(work):
            await self._log(request.urn, sentence)


def _strings(config: Mapping[str, Any]) -> dict[str, str]:
    """Provider configuration as texts: the SDK sends other values as JSON."""
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in config.items()
        if value is not None and value != UNKNOWN
    }


def _token(urn: str) -> str:
    """The type of a resource, without the types of its parents."""
    return urn.split("::")[-2].rsplit("$", 1)[-1]


def _is_patch(urn: str) -> bool:
    return _token(urn).endswith("Patch")


def _imported(token: str, identity: str) -> dict[str, Any]:
    """The identity of an imported object, from ``kubernetes:apps/v1:Deployment`` and ``NAMESPACE/NAME``."""
    _, api, kind = token.split(":", 2)
    space, _, name = identity.rpartition("/")
    metadata = {"name": name} | ({"namespace": space} if space else {})
    return {"apiVersion": api.removeprefix("core/"), "kind": kind.removesuffix("Patch"), "metadata": metadata}


def _marked(state: Mapping[str, Any], marks: Iterable[Mapping[str, Any]]) -> Values:
    """A state as property values; secrets of the inputs are marked as secret wherever they are recorded."""
    inner = _secrets(state, marks)
    nested = {(key, *path) for key in (objects.INPUTS, objects.APPLIED) for path in inner}
    return values(state, inner | nested)


def _secrets(entry: Mapping[str, Any], marks: Iterable[Mapping[str, Any]]) -> set[Path]:
    paths = {path for properties in marks for path in secret_paths(properties)}
    if entry.get("kind") == "Secret":
        paths |= {(field,) for field in SECRET_FIELDS}
    return paths


async def serve(engine_address: str) -> None:
    """Serve objects until the engine ends."""
    await server.serve(
        engine_address, lambda log: KubernetesProvider(objects.Objects(), log), version("pulumi-kubernetes")
    )
