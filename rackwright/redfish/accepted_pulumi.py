"""What the engine asks of ``rackwright:index:Accepted``: property values on the outside, `plugin.acceptance` inside."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from pulumi.provider.experimental import provider as sdk
from pulumi.runtime.rpc import UNKNOWN

from rackwright.plugin import acceptance_wire
from rackwright.plugin.acceptance import AcceptedSubjects
from rackwright.plugin.server import Log
from rackwright.plugin.values import plain, values

Track = Callable[[Awaitable[Any]], Awaitable[Any]]
"""Ends the work when the engine cancels."""


def concerns(urn: str) -> bool:
    """Whether a resource is of this type."""
    return urn.split("::")[2].split("$")[-1] == acceptance_wire.TOKEN


class AcceptedAnswers:
    """Answers the engine."""

    def __init__(self, subjects: AcceptedSubjects, log: Log, track: Track) -> None:
        self._subjects, self._log, self._track = subjects, log, track

    def check(self, request: sdk.CheckRequest) -> sdk.CheckResponse:
        """Every wrong property with its reason; unknown values pass."""
        news = plain(request.new_inputs)
        unknown = {name for name, value in news.items() if value == UNKNOWN}
        failures = [sdk.CheckFailure(name, reason) for name, reason in acceptance_wire.failures(news, unknown)]
        return sdk.CheckResponse(inputs=values(news), failures=failures)

    def diff(self, request: sdk.DiffRequest) -> sdk.DiffResponse:
        """What differs; a subject that is held again has drifted."""
        changed, drifted, replaces = acceptance_wire.differences(plain(request.old_state), plain(request.new_inputs))
        kinds = {name: sdk.PropertyDiff(sdk.PropertyDiffKind.UPDATE, input_diff=True) for name in changed}
        kinds |= {name: sdk.PropertyDiff(sdk.PropertyDiffKind.UPDATE_REPLACE, input_diff=True) for name in replaces}
        kinds |= {name: sdk.PropertyDiff(sdk.PropertyDiffKind.UPDATE, input_diff=False) for name in drifted}
        return sdk.DiffResponse(
            changes=bool(kinds), replaces=replaces, stables=[], diffs=[*changed, *drifted], detailed_diff=kinds
        )

    async def create(self, request: sdk.CreateRequest) -> sdk.CreateResponse:
        """Wait until the gate opens."""
        inputs = plain(request.properties)
        if request.preview:
            return sdk.CreateResponse("", values(inputs))
        state = await self._wait(request.urn, inputs, request.timeout)
        return sdk.CreateResponse(f"{inputs['kind']}/{inputs['name']}", values(state))

    async def update(self, request: sdk.UpdateRequest) -> sdk.UpdateResponse:
        """Wait until the gate opens again."""
        inputs = plain(request.news)
        if request.preview:
            return sdk.UpdateResponse(values(inputs))
        return sdk.UpdateResponse(values(await self._wait(request.urn, inputs, request.timeout)))

    async def read(self, request: sdk.ReadRequest) -> sdk.ReadResponse:
        """How it is now; nothing where the site has no such subject."""
        inputs = plain(request.inputs)
        state = await self._track(self._subjects.read(inputs))
        return sdk.ReadResponse(request.resource_id, values(state), values(inputs)) if state else sdk.ReadResponse("")

    async def delete(self, request: sdk.DeleteRequest) -> None:
        """Wait for it no longer."""
        await self._log(request.urn, "leaves the stack; the gate is left as it is")

    async def _wait(self, urn: str, inputs: dict[str, Any], seconds: float) -> dict[str, Any]:
        async def say(sentence: str) -> None:
            await self._log(urn, sentence)

        state: dict[str, Any] = await self._track(self._subjects.wait(inputs, seconds, say))
        return state
