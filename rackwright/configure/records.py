"""Stores what switches ran before and after, for whoever looks back."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rackwright.base.durable_file import replace_file
from rackwright.configure.bring import SwitchResult

PRIVATE = 0o600


def store(folder: Path, results: Iterable[SwitchResult]) -> None:
    """What each switch ran before and after, and what went and came; secrets are masked already."""
    for result in results:
        place = folder / result.name
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        texts = {f"before-{name}": text for name, text in result.before.items()}
        texts |= {f"after-{name}": text for name, text in result.after.items()}
        texts["lines.txt"] = "".join(f"{line}\n" for line in (f"# {result.outcome}: {result.sentence}", *result.lines))
        for name, text in texts.items():
            replace_file(place / name, text, PRIVATE)
