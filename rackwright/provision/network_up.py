"""Runs the stack ``stacks/network`` through Pulumi's Automation API: preview, up, refresh, destroy."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from pathlib import Path

from pulumi.automation.events import StepEventMetadata

from rackwright.base.name_list import listed_names
from rackwright.base.workspace import Workspace
from rackwright.plugin import switch_wire
from rackwright.provision.backend import Backend
from rackwright.provision.events import EventReader, OnEvent, outputs_of, type_of
from rackwright.provision.result import NetworkResult, ResourceResult, Verb
from rackwright.provision.run import run_engine
from rackwright.provision.stack import open_stack, unprotect


class SwitchReader(EventReader):
    """Collects what happened to each switch while the engine runs."""

    def switches(self, expected: Collection[str]) -> dict[str, ResourceResult]:
        """Results by name; a switch of `expected` that the engine never came to is ``skipped``."""
        results = self.machines(expected).values()
        return {
            result.name: ResourceResult(result.name, result.outcome, result.error, result.changes) for result in results
        }

    def _is_ours(self, urn: str) -> bool:
        return type_of(urn) == switch_wire.TOKEN

    def _drift(self, metadata: StepEventMetadata) -> Iterator[str]:
        yield from outputs_of(metadata.new).get("differences") or ()

    def _intent(self, metadata: StepEventMetadata) -> Iterator[str]:
        for name in sorted(metadata.detailed_diff or {}):
            lines = outputs_of(metadata.old).get("differences") or () if name == "differences" else ()
            yield from lines or [f"{name} would be another"]


def apply_network(
    site: str,
    workspace: Workspace,
    *,
    site_path: Path,
    verb: Verb,
    fabric: str,
    unprotected: str,
    expected: Collection[str],
    on_event: OnEvent,
) -> NetworkResult:
    """Bring the switches `expected` to their configurations, or preview, refresh or forget those of the stack.

    `fabric`: switches of this one only, in a stack of its own. `unprotected`: names, with commas, of switches that may leave the stack. A switch that fails is in the result, and holds up those of later waves. Raises OutsideError when the engine cannot be used.
    """
    started = time.monotonic()
    backend = Backend.of(workspace, "network")
    stack = open_stack(f"{site}-{fabric}" if fabric else site, backend, backend.environment(), on_event)
    work = str(workspace.path.resolve())
    backend.configure(stack.name, site_path, fabric=fabric, unprotected=unprotected, work=work)
    if verb == "destroy":
        state = stack.export_stack().deployment or {}
        names = [resource["urn"].rsplit("::", 1)[1] for resource in dict(state).get("resources") or []]
        unprotect(stack, names)  # forgetting a switch leaves it as it is
    elif unprotected:
        unprotect(stack, listed_names(unprotected))
    reader = SwitchReader(verb, on_event)
    run_engine(stack, verb, reader, backend)
    return NetworkResult(verb, stack.name, reader.switches(expected), reader.diagnostics(), time.monotonic() - started)
