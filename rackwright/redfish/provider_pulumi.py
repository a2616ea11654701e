"""The one file that knows `pulumi.provider.experimental`: property values and gRPC on the outside, `provider.Machines` inside.

The interface is marked experimental and the SDK is pinned; when it moves, this file is what has to follow.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import grpc
import grpc.aio
from pulumi.provider.experimental import provider as sdk
from pulumi.provider.experimental.property_value import PropertyValue
from pulumi.provider.experimental.server import ProviderServicer
from pulumi.runtime._grpc_settings import _GRPC_CHANNEL_OPTIONS
from pulumi.runtime.proto import engine_pb2, engine_pb2_grpc, provider_pb2_grpc
from pulumi.runtime.rpc import UNKNOWN

from rackwright import __version__
from rackwright.base.errors import RackwrightError
from rackwright.redfish import provider, wire

PARENT_POLL_SECONDS = 1.0
"""An engine that was killed cannot say goodbye; the plugin notices by its parent."""

Values = dict[str, PropertyValue]


class MachineProvider(sdk.Provider):
    """Answers the engine for resources of type `wire.TOKEN`."""

    def __init__(self, machines: provider.Machines, log: Callable[[str, str], Awaitable[None]]) -> None:
        self._machines = machines
        self._log = log
        self._running: set[asyncio.Task[Any]] = set()

    async def get_schema(self, request: sdk.GetSchemaRequest) -> sdk.GetSchemaResponse:  # noqa: ARG002 - one version
        """The package schema."""
        return sdk.GetSchemaResponse(wire.schema())

    async def check_config(self, request: sdk.CheckRequest) -> sdk.CheckResponse:
        """Take any configuration: stack settings in our namespace (``rackwright:site``) arrive here as well."""
        return sdk.CheckResponse(inputs=request.new_inputs)

    async def diff_config(self, request: sdk.DiffRequest) -> sdk.DiffResponse:  # noqa: ARG002 - see below
        """Never a reason to replace machines: configuration only says where the account is found."""
        return sdk.DiffResponse(changes=False)

    async def configure(self, request: sdk.ConfigureRequest) -> sdk.ConfigureResponse:
        """Remember where the account is found."""
        settings = {
            name: value for name, value in plain(request.args).items() if name in wire.CONFIG and value != UNKNOWN
        }
        self._machines.configure({name: str(value) for name, value in settings.items() if value})
        return sdk.ConfigureResponse(accept_secrets=True, supports_preview=True, accept_resources=True)

    async def check(self, request: sdk.CheckRequest) -> sdk.CheckResponse:
        """Whole numbers as integers, and every wrong property with its reason; unknown values pass."""
        news = wire.normalised(plain(request.new_inputs))
        unknown = {name for name, value in news.items() if value == UNKNOWN}
        failures = [sdk.CheckFailure(name, reason) for name, reason in wire.failures(news, unknown)]
        return sdk.CheckResponse(inputs=values(news), failures=failures)

    async def diff(self, request: sdk.DiffRequest) -> sdk.DiffResponse:
        """What differs, property by property."""
        state, inputs = wire.normalised(plain(request.old_state)), wire.normalised(plain(request.new_inputs))
        differences = provider.differs(state, inputs)
        kinds = {name: sdk.PropertyDiff(sdk.PropertyDiffKind.UPDATE, input_diff=True) for name in differences.changed}
        kinds |= {
            name: sdk.PropertyDiff(sdk.PropertyDiffKind.UPDATE_REPLACE, input_diff=True)
            for name in differences.replaces
        }
        kinds |= {name: sdk.PropertyDiff(sdk.PropertyDiffKind.UPDATE, input_diff=False) for name in differences.drifted}
        return sdk.DiffResponse(
            changes=bool(kinds),
            replaces=list(differences.replaces),
            stables=["serialNumber"] if not differences.replaces else [],
            diffs=[*differences.changed, *differences.drifted],
            detailed_diff=kinds,
        )

    async def create(self, request: sdk.CreateRequest) -> sdk.CreateResponse:
        """Adopt a machine; its BMC address is its identity."""
        inputs = wire.normalised(plain(request.properties))
        if request.preview:
            return sdk.CreateResponse("", values(provider.preview(inputs)))
        state = await self._tracked(self._logging(request.urn, lambda log: self._machines.create(inputs, log)))
        return sdk.CreateResponse(str(inputs["bmcAddress"]), values(state))

    async def update(self, request: sdk.UpdateRequest) -> sdk.UpdateResponse:
        """Bring a recorded machine to new inputs."""
        state, inputs = wire.normalised(plain(request.olds)), wire.normalised(plain(request.news))
        if request.preview:
            return sdk.UpdateResponse(values(provider.preview(inputs)))
        done = await self._tracked(self._logging(request.urn, lambda log: self._machines.update(state, inputs, log)))
        return sdk.UpdateResponse(values(done))

    async def read(self, request: sdk.ReadRequest) -> sdk.ReadResponse:
        """The machine as it is now."""
        inputs = wire.normalised(plain(request.inputs))
        properties, state = await self._tracked(self._machines.read(request.resource_id, request.name, inputs))
        return sdk.ReadResponse(request.resource_id, values(state), values(properties))

    async def delete(self, request: sdk.DeleteRequest) -> None:
        """Forget the machine; it keeps running, or keeps off, as it is."""
        await self._log(request.urn, "leaves the stack; its power and its disks are left as they are")

    async def cancel(self) -> None:
        """Stop what is under way; machines that were not reached are adopted by the next run."""
        for task in self._running:
            task.cancel()

    async def _tracked(self, work: Awaitable[Any]) -> Any:
        task = asyncio.ensure_future(work)
        self._running.add(task)
        try:
            return await task
        except asyncio.CancelledError as error:
            raise RackwrightError("interrupted before the machine was done; run again to continue") from error
        finally:
            self._running.discard(task)

    async def _logging(self, urn: str, work: Callable[[provider.Log], Awaitable[Any]]) -> Any:
        sentences: list[str] = []
        try:
            return await work(sentences.append)
        finally:
            for sentence in sentences:
                await self._log(urn, sentence)


def plain(properties: Mapping[str, PropertyValue]) -> dict[str, Any]:
    """Property values as plain data; an unknown one stays the engine's marker string."""
    return {name: _plain_value(value) for name, value in properties.items()}


def _plain_value(value: PropertyValue) -> Any:
    inner = value.value
    if isinstance(inner, str | bool | float) or inner is None:
        return inner
    if isinstance(inner, Mapping):
        return plain(inner)
    if isinstance(inner, list | tuple):
        return [_plain_value(element) for element in inner]
    return UNKNOWN


def values(properties: Mapping[str, Any]) -> Values:
    """Plain data as property values."""
    return {name: _value(value) for name, value in properties.items()}


def _value(value: Any) -> PropertyValue:
    if isinstance(value, list):
        return PropertyValue([_value(element) for element in value])
    if isinstance(value, int) and not isinstance(value, bool):
        return PropertyValue(float(value))
    return PropertyValue(value)


class Servicer(ProviderServicer):
    """The SDK's servicer, with our errors as one sentence where it would send a traceback."""

    async def Configure(self, request: Any, context: Any) -> Any:  # noqa: N802 - gRPC names
        """See base class."""
        return await _in_a_sentence(super().Configure, request, context)

    async def Create(self, request: Any, context: Any) -> Any:  # noqa: N802
        """See base class."""
        return await _in_a_sentence(super().Create, request, context)

    async def Read(self, request: Any, context: Any) -> Any:  # noqa: N802
        """See base class."""
        return await _in_a_sentence(super().Read, request, context)

    async def Update(self, request: Any, context: Any) -> Any:  # noqa: N802
        """See base class."""
        return await _in_a_sentence(super().Update, request, context)


async def _in_a_sentence(call: Callable[[Any, Any], Awaitable[Any]], request: Any, context: Any) -> Any:
    try:
        return await call(request, context)
    except Exception as error:
        ours = error if isinstance(error, RackwrightError) else error.__context__  # the SDK wraps what we raise
        if not isinstance(ours, RackwrightError):
            raise
        await context.abort(grpc.StatusCode.UNKNOWN, str(ours))


async def serve(engine_address: str) -> None:
    """Serve the plugin until the engine ends; prints the port, as the engine expects."""
    parent = os.getppid()  # asked before the port is printed: the engine may be killed right after it has read it
    channel = grpc.aio.insecure_channel(engine_address, options=_GRPC_CHANNEL_OPTIONS)
    engine: Any = engine_pb2_grpc.EngineStub(channel)  # typed for blocking calls only

    async def log(urn: str, sentence: str) -> None:
        await engine.Log(engine_pb2.LogRequest(severity=engine_pb2.INFO, urn=urn, message=sentence))

    server = grpc.aio.server(options=_GRPC_CHANNEL_OPTIONS)
    servicer = Servicer([], __version__, MachineProvider(provider.Machines(), log), engine_address)
    provider_pb2_grpc.add_ResourceProviderServicer_to_server(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    await _until_the_engine_ends(parent)
    await server.stop(grace=None)
    await channel.close()


async def _until_the_engine_ends(parent: int) -> None:
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    # The engine starts plugins in a process group of their own, so that Ctrl-C at the terminal reaches only the engine;
    # it then asks us to cancel, saves its state, and ends us with one of these.
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    while not ended.is_set() and os.getppid() == parent:
        try:
            await asyncio.wait_for(ended.wait(), PARENT_POLL_SECONDS)
        except TimeoutError:
            continue
