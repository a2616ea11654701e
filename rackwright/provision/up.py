"""Runs the stack ``stacks/site`` through Pulumi's Automation API: preview, up, refresh, destroy.

The program is the same
``__main__.py`` that a plain ``pulumi up`` runs; it runs inside this process, which saves a second of start-up.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

from pulumi.automation import Stack, errors

from rackwright.base.errors import OutsideError
from rackwright.base.workspace import Workspace
from rackwright.model.access import Access
from rackwright.model.design import Design
from rackwright.provision.backend import Backend
from rackwright.provision.events import EventReader, OnEvent
from rackwright.provision.language_host import quiet
from rackwright.provision.result import MachineResult, UpResult, Verb
from rackwright.provision.stack import end_engine, last_line, open_stack
from rackwright.redfish import wire

PARALLEL = 256
"""Machines the engine hands out at once; the plugin visits `redfish.provider.AT_ONCE` of them."""

POLL_SECONDS = 0.1


def provision_machines(
    design: Design,
    nodes: Sequence[str],
    access: Access,
    workspace: Workspace,
    *,
    site_path: Path,
    verb: Verb = "up",
    on_event: OnEvent | None = None,
) -> UpResult:
    """Bring the machines `nodes` of `design` to what is planned, or preview, refresh or forget them.

    Machines of the stack that are not in `nodes` stay in it untouched. A machine that fails is in the result and stops
    no other. Raises OutsideError when there is no engine, another run is going on, or the engine itself fails.
    """
    started, say = time.monotonic(), on_event or _ignore_event
    backend = Backend.of(workspace)
    stack = open_stack(design.site, backend, access, say)
    node_names = {node.name for node in design.nodes()}
    before = [name for name in backend.declared() if name in node_names]
    names = sorted({*before, *nodes})
    backend.configure(stack.name, site_path, names)
    if verb == "up":
        backend.declare(names)
    reader = EventReader(verb, say)
    _run(stack, verb, _targets(backend, verb, stack.name, before, nodes), reader, backend)
    machines = reader.machines(nodes if verb != "destroy" else [name for name in nodes if name in before])
    backend.declare(_unchanged_machines(verb, before, machines))
    mine = {name: machines[name] for name in nodes if name in machines}
    return UpResult(verb, stack.name, mine, reader.diagnostics(), time.monotonic() - started)


def _ignore_event(kind: str, data: dict[str, Any]) -> None:
    """Nobody watches."""


def _targets(backend: Backend, verb: Verb, stack: str, before: Sequence[str], nodes: Sequence[str]) -> list[str] | None:
    """URNs to limit a refresh or destroy to; None for all of the stack."""
    if verb not in {"refresh", "destroy"} or set(before) <= set(nodes):
        return None
    kind = f"{wire.PACKAGE}:index:Fleet${wire.TOKEN}"
    return [f"urn:pulumi:{stack}::{backend.project}::{kind}::{name}" for name in nodes if name in before]


def _unchanged_machines(verb: Verb, before: Sequence[str], machines: Mapping[str, MachineResult]) -> set[str]:
    """The machines that are in the stack now."""
    if verb == "destroy":
        return set(before) - {name for name, machine in machines.items() if machine.outcome == "deleted"}
    if verb != "up":
        return set(before)
    return {*before, *(name for name, machine in machines.items() if machine.outcome in {"created", "updated", "same"})}


def _run(stack: Stack, verb: Verb, targets: list[str] | None, reader: EventReader, backend: Backend) -> None:
    quiet()
    try:
        # In a thread of its own: the SDK waits for the engine in a way that Ctrl-C does not end.
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(_act, stack, verb, targets, reader)
            try:
                while not running.done():  # polled: Polars' signal handler lets no signal end a wait
                    wait([running], POLL_SECONDS)
            except KeyboardInterrupt:
                end_engine(backend, stack.name)
                raise
            running.result()
    except errors.ConcurrentUpdateError as error:
        raise OutsideError(f"another run is working on stack {stack.name}: wait for it, then run again") from error
    except errors.CommandError as error:
        # A machine that failed is in the result; any other reason for the engine's end is reported here.
        if not reader.diagnostics() and not any(machine.error for machine in reader.machines([]).values()):
            raise OutsideError(
                f"the Pulumi engine failed: {last_line(error)}; its state is in {backend.state}, run again"
            ) from error


def _act(stack: Stack, verb: Verb, targets: list[str] | None, reader: EventReader) -> None:
    common: dict[str, Any] = {"parallel": PARALLEL, "on_event": reader, "color": "never", "suppress_progress": True}
    match verb:
        case "preview":
            stack.preview(**common)
        case "up":
            stack.up(**common, continue_on_error=True)
        case "refresh":
            stack.workspace.program = None  # machines are read from the stack; nothing is declared anew
            stack.refresh(**common, target=targets)
        case "destroy":
            stack.workspace.program = None
            stack.destroy(**common, target=targets, continue_on_error=True)
