"""What was done to the firmware of a machine and what its BMC answered, a line each, stored before it is judged."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

Step = Literal["sent", "completed", "activated", "in force", "failed"]
STEPS = ("sent", "completed", "activated", "in force", "failed")


class UpdateRecord:
    """The file of one machine: JSON lines ``{"at", "kind", ...}``."""

    def __init__(self, folder: Path, node: str) -> None:
        self.path = folder / f"{node}.jsonl"

    def note(self, kind: str, document: Mapping[str, Any]) -> None:
        """Append what the BMC answered, and have it on disk."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        line = json.dumps({"at": datetime.now(UTC).isoformat(timespec="seconds"), "kind": kind, **document})
        begun = self.path.exists() and not self.path.read_bytes().endswith(b"\n")  # by a run that was killed
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        with os.fdopen(os.open(self.path, flags, 0o600), "a", encoding="utf-8") as file:
            file.write(f"\n{line}\n" if begun else f"{line}\n")
            file.flush()
            os.fsync(file.fileno())

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
        lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        entries = []
        for line in reversed(lines):
            with suppress(ValueError):  # the last line of a run that was killed while it wrote
                entry = json.loads(line)
                if entry.get("image") == sha256 and entry.get("kind") in STEPS:
                    entries.append(entry)
        return entries
