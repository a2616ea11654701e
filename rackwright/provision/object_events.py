"""Reads what the engine did to objects of Kubernetes, and to what they wait for."""

from __future__ import annotations

from collections.abc import Iterator

from pulumi.automation.events import StepEventMetadata

from rackwright.kubernetes import difference
from rackwright.kubernetes.objects import INPUTS
from rackwright.plugin import acceptance_wire
from rackwright.provision.events import EventReader, outputs_of, type_of
from rackwright.provision.result import ResourceResult

PACKAGE = "kubernetes:"


class ObjectReader(EventReader):
    """Collects what happened to each object while the engine runs."""

    def objects(self) -> dict[str, ResourceResult]:
        """Results by kind, namespace and name."""
        results = self.machines(()).values()
        return {
            result.name: ResourceResult(result.name, result.outcome, result.error, result.changes) for result in results
        }

    def _is_ours(self, urn: str) -> bool:
        return type_of(urn).startswith((PACKAGE, acceptance_wire.TOKEN))

    def _name(self, urn: str) -> str:
        kind = type_of(urn).rsplit(":", 1)[1].removesuffix("Patch")
        return f"{kind} {super()._name(urn)}"

    def _outcome(self, metadata: StepEventMetadata) -> str:
        """A namespace that leaves the stack is not deleted: what runs in it belongs to its tenant."""
        outcome = super()._outcome(metadata)
        name = self._name(metadata.urn)
        if outcome != "deleted" or not name.startswith("Namespace "):
            return outcome
        self._says[name].append("is left, with what runs in it")
        return "same"

    def _drift(self, metadata: StepEventMetadata) -> Iterator[str]:
        old, new = outputs_of(metadata.old), outputs_of(metadata.new)
        if type_of(metadata.urn) == acceptance_wire.TOKEN:
            yield from [f"is {new['state']}: {new['reason']}"] if new.get("state") != acceptance_wire.RELEASED else []
            return
        shape = difference.declared(old.get(INPUTS) or {})
        for path in difference.differences(difference.pruned(old, shape), difference.pruned(new, shape)):
            yield f"{difference.text(path)} was changed by somebody else"

    def _intent(self, metadata: StepEventMetadata) -> Iterator[str]:
        for place in sorted(metadata.detailed_diff or {}):
            yield f"{place} would be set"
