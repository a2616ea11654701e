"""What was done to a machine and what its BMC answered, a line each, on disk before it is judged."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


class MachineRecord:
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

    def entries(self) -> list[dict[str, Any]]:
        """All of it, the first first."""
        lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        entries = []
        for line in lines:
            with suppress(ValueError):  # the last line of a run that was killed while it wrote
                entries.append(json.loads(line))
        return [entry for entry in entries if isinstance(entry, dict)]
