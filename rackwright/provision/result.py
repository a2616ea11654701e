"""What a run of the engine did to the machines, as data for ledger, report and terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Verb = Literal["preview", "up", "refresh", "destroy"]
OUTCOMES = {
    "create": "created",
    "create-replacement": "created",
    "replace": "created",
    "import": "created",
    "update": "updated",
    "same": "same",
    "refresh": "same",
    "read": "same",
    "delete": "deleted",
    "delete-replaced": "deleted",
    "discard": "deleted",
}
"""Engine operation -> outcome; in a preview it is what would be done. A refresh that finds a drift is ``updated``."""


@dataclass(frozen=True)
class MachineResult:
    """One machine after the run."""

    name: str
    outcome: str
    """``created`` (adopted), ``updated``, ``same``, ``deleted`` (forgotten, left running), ``failed``, ``skipped``."""
    outputs: Mapping[str, Any] = field(default_factory=dict)
    """serialNumber, powerState, biosVersion, bmcVersion, bootOverride, seenModel, mismatches (`redfish.wire.OUTPUTS`)."""
    error: str = ""
    """Why it failed, one sentence."""
    changes: tuple[str, ...] = ()
    """What was done to it or found on it, one sentence each."""

    @property
    def mismatches(self) -> tuple[str, ...]:
        """Where the machine is not what the design says."""
        return tuple(self.outputs.get("mismatches") or ())


@dataclass(frozen=True)
class UpResult:
    """One run."""

    verb: Verb
    stack: str
    machines: Mapping[str, MachineResult]
    diagnostics: tuple[str, ...]
    """Warnings and errors that belong to no machine."""
    seconds: float

    @property
    def counts(self) -> dict[str, int]:
        """Machines by outcome; every outcome is there."""
        outcomes = Counter(machine.outcome for machine in self.machines.values())
        return {name: outcomes[name] for name in ("created", "updated", "same", "deleted", "failed", "skipped")}

    @property
    def good(self) -> bool:
        """True when no machine failed and the engine complained of nothing."""
        return not self.counts["failed"] and not self.counts["skipped"] and not self.diagnostics

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for ``--format json``."""
        machines = {name: asdict(machine) for name, machine in self.machines.items()}
        return {
            "verb": self.verb, "stack": self.stack, "counts": self.counts, "good": self.good,
            "seconds": round(self.seconds, 2), "diagnostics": list(self.diagnostics), "machines": machines,
        }  # fmt: skip
