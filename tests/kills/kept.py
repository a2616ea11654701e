"""The kills of one verb, each added to a file as it ends: hundreds take hours, and a run that is stopped goes on after them."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any


class Kept:
    """Kills of `verb` whose moments `seed` drew, those of earlier runs with the same file first."""

    def __init__(self, file: Path | None, verb: str, seed: int) -> None:
        self._file, self._about = file, {"verb": verb, "seed": seed}
        lines = file.read_text().splitlines() if file and file.exists() else []
        self.kills: list[dict[str, Any]] = [
            kill for kill in map(json.loads, lines) if self._about.items() <= kill.items()
        ]

    def add(self, steps: Sequence[int], last: int, problems: list[str]) -> None:
        """Those of one workspace."""
        name = ",".join(map(str, steps))
        kills = [
            {**self._about, "step": step, "steps": name, "operations": last, "problems": problems} for step in steps
        ]
        self.kills += kills
        ending = "; ".join(problems) or "nothing lost"
        verb = self._about["verb"]
        print(f"{verb} {len(self.kills)}: killed before operation {name} of {last}: {ending}", file=sys.stderr)
        if self._file:
            with self._file.open("a") as stream:
                stream.write("".join(f"{json.dumps(kill)}\n" for kill in kills))

    def counts(self) -> dict[str, Any]:
        """For the summary."""
        problems = {kill["steps"]: kill["problems"] for kill in self.kills if kill["problems"]}
        return {
            "operations": self.kills[-1]["operations"] if self.kills else 0,
            "kills": len(self.kills),
            "problems": problems,
        }
