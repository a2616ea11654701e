"""What every vendor's tool asks first: is the driver loaded, and which accelerators are there."""

from __future__ import annotations

import json
import os
from typing import Any

STATE = "/run/rackwright-twin/accelerators.json"
MODULES = "/sys/module"
FIRMWARE = "/var/lib/rackwright-twin/nvram/accelerator-firmware"
PROCESSES = "/run/rackwright-twin/accelerator-processes"
"""Lines ``index pid name``: programs that work on accelerators, for tests of what must not disturb them."""

Accelerator = dict[str, Any]


class Node:
    """The accelerators that a tool may speak of."""

    def __init__(self, vendor: str) -> None:
        known = _json(STATE)
        self.module = str(known.get("module", "")).replace("-", "_")
        self.loaded = known.get("vendor") == vendor and os.path.isdir(f"{MODULES}/{self.module}")
        self.driver = _line(f"{MODULES}/{self.module}/version")
        self.accelerators: list[Accelerator] = known.get("accelerators", []) if self.loaded else []
        flashed = _line(FIRMWARE)
        for one in self.accelerators:
            one["firmware"] = flashed or one["firmware"]

    def processes(self, index: int) -> list[tuple[int, str]]:
        """Programs on one accelerator: process id and name."""
        rows = [line.split(None, 2) for line in _text(PROCESSES).splitlines()]
        return [(int(row[1]), row[2]) for row in rows if len(row) == 3 and row[0] == str(index)]


def option(words: list[str], *names: str) -> str:
    """The value of an option (``-i 3``, ``--id=3``), empty when it is not given."""
    for at, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name in names:
            return value if equals else "".join(words[at + 1 : at + 2])
    return ""


def asked(words: list[str], *names: str) -> bool:
    """Whether one of the options is given."""
    return any(word.partition("=")[0] in names for word in words)


def _json(path: str) -> dict[str, Any]:
    text = _text(path)
    found: dict[str, Any] = json.loads(text) if text else {}
    return found


def _line(path: str) -> str:
    return _text(path).partition("\n")[0].strip()


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""
