"""Reads the engine's event stream: engine events in, results of resources and progress out; `EventReader` is for machines."""

from __future__ import annotations

import re
import threading
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from pulumi.automation import EngineEvent
from pulumi.automation.events import DiagnosticEvent, StepEventMetadata

from rackwright.plugin import system_wire
from rackwright.provision.result import OUTCOMES, MachineResult, Verb
from rackwright.redfish import plant_wire, wire

OnEvent = Callable[[str, dict[str, Any]], None]
"""Called with ``machine.started``, ``machine.done``, ``machine.failed`` or ``note``, and a dictionary with
``machine``, ``outcome`` or ``text``. Calls come from another thread, one at a time."""

COLOUR = re.compile(r"<\{%[^%]*%\}>")
NOISE = re.compile(
    r"^((update|preview|refresh|destroy) failed|\d+ errors? occurred|using pulumi-\S+ from \$PATH)", re.IGNORECASE
)
"""What the engine says besides: that something failed (we say what), and that our plugin is not one it downloaded."""


PROTECTED = "currently marked for protection"
"""In what the engine says when it is to replace or delete what is protected."""


class EventReader:
    """Collects what happened to each machine while the engine runs."""

    def __init__(self, verb: Verb, on_event: OnEvent) -> None:
        self._verb = verb
        self._on_event = on_event
        self._lock = threading.Lock()
        self._outcomes: dict[str, str] = {}
        self._outputs: dict[str, dict[str, Any]] = {}
        self._says: dict[str, list[str]] = defaultdict(list)
        self._errors: dict[str, list[str]] = defaultdict(list)
        self._diagnostics: list[str] = []
        self._plant: dict[str, tuple[str, ...]] = {}

    def __call__(self, event: EngineEvent) -> None:
        """Take one event of the engine."""
        with self._lock:
            if event.resource_pre_event is not None:
                self._step_started(event.resource_pre_event.metadata)
            elif event.res_outputs_event is not None:
                self._done(event.res_outputs_event.metadata)
            elif event.res_op_failed_event is not None:
                self._step_failed(event.res_op_failed_event.metadata)
            elif event.diagnostic_event is not None:
                self._record_diagnostic(event.diagnostic_event)

    def any_error(self) -> bool:
        """Whether a resource failed."""
        with self._lock:
            return any(self._errors.values())

    def machines(self, expected: Collection[str]) -> dict[str, MachineResult]:
        """Results by name; a machine of `expected` that the engine never came to is ``skipped``."""
        with self._lock:
            names = sorted({*expected, *self._outcomes})
            return {name: self._result(name) for name in names}

    def plant(self) -> dict[str, tuple[str, ...]]:
        """Racks and CDUs that are not as designed, with the sentences why."""
        with self._lock:
            return {place: problems for place, problems in sorted(self._plant.items()) if problems}

    def diagnostics(self) -> tuple[str, ...]:
        """Warnings and errors that belong to no resource."""
        with self._lock:
            return tuple(dict.fromkeys(self._diagnostics))

    def _result(self, name: str) -> MachineResult:
        return MachineResult(
            name=name,
            outcome=self._outcomes.get(name, "skipped"),
            outputs=self._outputs.get(name, {}),
            error=" ".join(dict.fromkeys(self._errors[name])),
            changes=tuple(self._says[name]),
        )

    def _step_started(self, metadata: StepEventMetadata) -> None:
        if self._is_ours(metadata.urn):
            self._on_event("machine.started", {"machine": self._name(metadata.urn)})

    def _done(self, metadata: StepEventMetadata) -> None:
        if type_of(metadata.urn) in plant_wire.TOKENS and self._outcome(metadata) != "deleted":
            problems = (outputs_of(metadata.new) or outputs_of(metadata.old)).get("problems")
            self._plant[self._name(metadata.urn)] = tuple(problems or ())
        if type_of(metadata.urn) == system_wire.TOKEN:
            self._system_done(metadata)
        if not self._is_ours(metadata.urn):
            return
        name, outcome = self._name(metadata.urn), self._outcome(metadata)
        if self._verb == "refresh" and outcome in {"same", "updated"}:
            drift = list(self._drift(metadata))
            self._says[name] += drift
            outcome = "updated" if drift else "same"
        elif self._verb == "preview" and outcome == "updated":
            self._says[name] += list(self._intent(metadata))
        # A replacement is two steps; the deletion of the old record is not what happened to the machine.
        if outcome != "deleted" or self._outcomes.get(name) in {None, "deleted"}:
            self._outcomes[name] = outcome
        outputs = outputs_of(metadata.new) or outputs_of(metadata.old)
        self._outputs[name] = {key: value for key, value in outputs.items() if key in wire.OUTPUTS}
        self._on_event("machine.done", {"machine": name, "outcome": outcome})

    def _system_done(self, metadata: StepEventMetadata) -> None:
        """What was installed in this run, and what is not as declared, is logged with its machine."""
        new = outputs_of(metadata.new)
        name, state = self._name(metadata.urn), new.get("state")
        if state in system_wire.ARRIVED and state != outputs_of(metadata.old).get("state"):
            self._says[name].append(f"its system {system_wire.ARRIVED[state]} ({new.get('system')})")
        self._says[name] += new.get("mismatches") or []

    def _step_failed(self, metadata: StepEventMetadata) -> None:
        if self._is_ours(metadata.urn) or type_of(metadata.urn) == system_wire.TOKEN:
            name = self._name(metadata.urn)
            self._outcomes[name] = "failed"
            self._on_event("machine.failed", {"machine": name})

    def _record_diagnostic(self, event: DiagnosticEvent) -> None:
        text = COLOUR.sub("", event.message).strip()
        ours = bool(event.urn) and (self._is_ours(str(event.urn)) or type_of(str(event.urn)) == system_wire.TOKEN)
        if ours and PROTECTED in text:
            name = self._name(str(event.urn))
            text = (
                f"{name} would become another machine (another serial number, UUID or BMC address), and machines are protected; nothing was changed. "
                f"If it was exchanged on purpose, run `rackwright up SITE --nodes {name} --unprotect {name}`"
            )
        if not text or event.ephemeral or NOISE.match(text):
            return
        if ours and event.severity == "error":
            self._errors[self._name(str(event.urn))].append(text)
        elif ours:
            self._says[self._name(str(event.urn))].append(text)
        elif event.severity in {"error", "warning"}:
            self._diagnostics.append(text)
            self._on_event("note", {"text": text})

    def _is_ours(self, urn: str) -> bool:
        return type_of(urn) == wire.TOKEN

    def _name(self, urn: str) -> str:
        """The machine, of its system as well."""
        return urn.rsplit("::", 1)[1].removesuffix(system_wire.SUFFIX if type_of(urn) == system_wire.TOKEN else "")

    def _outcome(self, metadata: StepEventMetadata) -> str:
        return OUTCOMES.get(_operation(metadata), "updated")

    def _drift(self, metadata: StepEventMetadata) -> Iterator[str]:
        """What a refresh found to be different from the record."""
        old, new = outputs_of(metadata.old), outputs_of(metadata.new)
        for key in wire.OUTPUTS:
            if old.get(key) != new.get(key):
                yield f"{key} was {_format_value(old.get(key))}, is {_format_value(new.get(key))}"

    def _intent(self, metadata: StepEventMetadata) -> Iterator[str]:
        """Why a preview would update a machine."""
        old, new = getattr(metadata.old, "inputs", None) or {}, getattr(metadata.new, "inputs", None) or {}
        for key in sorted(metadata.detailed_diff or {}):
            if key in wire.OUTPUTS:
                yield f"{key} is {_format_value(outputs_of(metadata.old).get(key))}, which would be put right"
            else:
                yield f"{key} would change from {_format_value(_member(old, key))} to {_format_value(_member(new, key))}"


def type_of(urn: str) -> str:
    """The type of a resource, without those of its parents."""
    return urn.split("::")[-2].rsplit("$", 1)[-1]


def _operation(metadata: StepEventMetadata) -> str:
    return str(getattr(metadata.op, "value", metadata.op))


def _member(properties: Mapping[str, Any], path: str) -> Any:
    """The value at a property path of one or two names (``power``, ``bios.ProcSMT``)."""
    name, _, member = path.partition(".")
    value = properties.get(name)
    return value.get(member) if member and isinstance(value, Mapping) else value


def _format_value(value: Any) -> str:
    """Of a list its entries, of an image its file."""
    if not isinstance(value, list):
        return str(value)
    words = [str(entry["url"]).rpartition("/")[2] if isinstance(entry, Mapping) else str(entry) for entry in value]
    return "; ".join(words) or "none"


def outputs_of(state: Any) -> dict[str, Any]:
    """Outputs of a recorded resource; empty where there is none."""
    return dict(getattr(state, "outputs", None) or {})
