"""What was done to the firmware of a machine and what its BMC answered, stored before it is judged."""

from __future__ import annotations

from typing import Any, Literal

from rackwright.redfish.machine_record import MachineRecord

Step = Literal["sent", "completed", "activated", "in force", "failed"]
STEPS = ("sent", "completed", "activated", "in force", "failed")


class UpdateRecord(MachineRecord):
    """How far each image has come."""

    def step(self, step: Step, sha256: str, **more: Any) -> None:
        """Append that the image `sha256` has come so far."""
        self.note(step, {"image": sha256, **more})

    def last(self, sha256: str) -> str:
        """The last step of the image `sha256`; empty where it was never sent."""
        return str(next(iter(self._steps(sha256)), {}).get("kind", ""))

    def task(self, sha256: str) -> str:
        """Path of the task of the image `sha256`, whose end no run has seen; empty where there is none."""
        last = next(iter(self._steps(sha256)), {})
        return str(last.get("task", "")) if last.get("kind") == "sent" else ""

    def _steps(self, sha256: str) -> list[dict[str, Any]]:
        """Of one image, the last first."""
        steps = [entry for entry in self.entries() if entry.get("image") == sha256 and entry.get("kind") in STEPS]
        return steps[::-1]
