"""Runs the stack ``stacks/site`` through Pulumi's Automation API: preview, up, refresh, destroy.

In: design, machines, access, workspace. Out: a `Result`, and progress while it runs. The program is the same
``__main__.py`` that a plain ``pulumi up`` runs; it runs inside this process, which saves a second of start-up.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from pulumi.automation import Deployment, LocalWorkspace, PulumiCommand, Stack, errors

from rackwright import content
from rackwright.errors import OutsideError
from rackwright.model.access import Access
from rackwright.model.design import Design
from rackwright.provision import engine, locks
from rackwright.provision.backend import Backend
from rackwright.provision.events import OnEvent, Reader
from rackwright.provision.language_host import quiet, run_program
from rackwright.provision.result import Result, Verb
from rackwright.redfish import wire
from rackwright.workspace import Workspace

PARALLEL = 256
"""Machines the engine hands out at once; the plugin visits `redfish.provider.AT_ONCE` of them."""


def up(
    design: Design,
    nodes: Sequence[str],
    access: Access,
    workspace: Workspace,
    *,
    site_path: Path,
    verb: Verb = "up",
    on_event: OnEvent | None = None,
) -> Result:
    """Bring the machines `nodes` of `design` to what is planned, or preview, refresh or forget them.

    Machines of the stack that are not in `nodes` stay in it untouched. A machine that fails is in the result and stops
    no other. Raises OutsideError when there is no engine, another run is going on, or the engine itself fails.
    """
    say = on_event or _silent
    started, backend = time.monotonic(), Backend.of(workspace)
    stack = _Run(design, backend, access, site_path).stack(say)
    reader = Reader(verb, say)
    quiet()
    before = [name for name in backend.declared() if name in {node.name for node in design.nodes()}]
    _announce(backend, verb, stack.name, site_path, before, nodes)
    try:
        _act(stack, verb, _targets(backend, verb, stack.name, before, nodes), reader)
    except errors.CommandError as error:
        _explain(error, reader, backend, stack.name)
    finally:
        stack.workspace.program = None
    machines = reader.machines(nodes if verb != "destroy" else [name for name in nodes if name in before])
    if verb in {"up", "destroy"}:
        gone = {name for name, one in machines.items() if one.outcome in {"deleted", "failed", "skipped"}}
        kept = {*before, *(nodes if verb == "up" else ())} - (gone if verb == "destroy" else gone - set(before))
        backend.declare(kept)
    mine = {name: one for name, one in machines.items() if name in set(nodes)}
    return Result(verb, stack.name, mine, reader.diagnostics(), time.monotonic() - started)


def _silent(kind: str, data: dict[str, Any]) -> None:
    """Nobody watches."""


class _Run:
    """Opens the stack of one site."""

    def __init__(self, design: Design, backend: Backend, access: Access, site_path: Path) -> None:
        self._site = design.site
        self._backend = backend
        self._access = access
        self._path = site_path

    def stack(self, say: OnEvent) -> Stack:
        """The site's stack, made when it is missing, and freed from the lock of a killed run."""
        program = engine.require()
        try:
            command = PulumiCommand(str(program.parent.parent)) if program.parent.name == "bin" else PulumiCommand()
            workspace = LocalWorkspace(
                work_dir=str(self._backend.work),
                pulumi_home=str(self._backend.folder / "home"),
                program=lambda: run_program(content.folder("stacks", "site")),
                env_vars=self._backend.environment(self._access, self._site.control.bmc),
                pulumi_command=command,
            )
            stack = Stack.create_or_select(self._site.site, workspace)
        except (errors.CommandError, errors.InvalidVersionError, OSError) as error:
            raise OutsideError(
                f"the Pulumi engine {program} cannot be used: {_last_line(error)}; run `make setup`"
            ) from error
        self._free(stack, say)
        return stack

    def _free(self, stack: Stack, say: OnEvent) -> None:
        found = list(locks.held(self._backend.state, self._backend.project, stack.name))
        for lock in found:
            if lock.alive:
                raise OutsideError(
                    f"another run (process {lock.pid} on {lock.host}) is working on stack {stack.name}: "
                    f"wait for it or end it, then run again (its lock is {lock.path})"
                )
        if found:
            say(
                "note",
                {"text": f"an earlier run was killed: its lock on stack {stack.name} is removed, and it is continued"},
            )
            with suppress(errors.CommandError):  # a lock file cut off by a crash is none to the engine
                stack.cancel()
            for lock in found:
                lock.path.unlink(missing_ok=True)
            _forget_pending(stack)


def _forget_pending(stack: Stack) -> None:
    """Drop half-done operations: what a killed run was doing is simply adopted by the next."""
    state = stack.export_stack()
    deployment = dict(state.deployment or {})
    if deployment.pop("pending_operations", None):
        stack.import_stack(Deployment(version=state.version, deployment=deployment))


def _announce(
    backend: Backend, verb: Verb, stack: str, site: Path, before: Sequence[str], nodes: Sequence[str]
) -> None:
    names = sorted({*before, *nodes})
    backend.configure(stack, site, names)
    if verb == "up":
        backend.declare(names)


def _targets(backend: Backend, verb: Verb, stack: str, before: Sequence[str], nodes: Sequence[str]) -> list[str] | None:
    """URNs to limit a refresh or destroy to; None for all of the stack."""
    if verb not in {"refresh", "destroy"} or set(before) <= set(nodes):
        return None
    kind = f"{wire.PACKAGE}:index:Fleet${wire.TOKEN}"
    return [f"urn:pulumi:{stack}::{backend.project}::{kind}::{name}" for name in nodes if name in before]


def _act(stack: Stack, verb: Verb, targets: list[str] | None, reader: Reader) -> None:
    common: dict[str, Any] = {"parallel": PARALLEL, "on_event": reader, "color": "never", "suppress_progress": True}
    match verb:
        case "preview":
            stack.preview(**common)
        case "up":
            stack.up(**common, continue_on_error=True)
        case "refresh":
            stack.workspace.program = None
            stack.refresh(**common, target=targets)
        case "destroy":
            stack.workspace.program = None
            stack.destroy(**common, target=targets, continue_on_error=True)


def _explain(error: errors.CommandError, reader: Reader, backend: Backend, stack: str) -> None:
    """A failed machine is in the result; anything else the engine died of is said here."""
    if isinstance(error, errors.ConcurrentUpdateError):
        raise OutsideError(f"another run is working on stack {stack}: wait for it, then run again") from error
    if not reader.diagnostics() and not any(one.error for one in reader.machines([]).values()):
        raise OutsideError(
            f"the Pulumi engine failed: {_last_line(error)}; its state is in {backend.state}, run again"
        ) from error


def _last_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip() and not line.strip().startswith("code:")]
    errors_first = [line for line in lines if "error" in line.lower()] or lines or [type(error).__name__]
    return errors_first[-1].removeprefix("stderr: ").removeprefix("error: ")
