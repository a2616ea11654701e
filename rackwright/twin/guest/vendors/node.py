"""What the tool of every vendor reads first: whether the driver is loaded, and the accelerators of the node."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

STATE = "/run/rackwright-twin/accelerators.json"
MODULES = "/sys/module"
FIRMWARE = "/var/lib/rackwright-twin/nvram/accelerator-firmware"
PROCESSES = "/run/rackwright-twin/accelerator-processes"
"""Lines ``index pid name``: programs on accelerators, for tests of what must not disturb them."""

Accelerator = dict[str, Any]
"""One accelerator with the fields of ``hardware/accelerators.py``; a reading that is None is not supported by the tool."""


class VendorNode:
    """The accelerators that a tool reports."""

    def __init__(
        self,
        driver: str,
        accelerators: list[Accelerator],
        processes: Sequence[Sequence[str]] = (),
        *,
        loaded: bool = True,
        ports: dict[str, Accelerator] | None = None,
    ) -> None:
        self.ports = ports or {}
        """Network ports of accelerators that have ports of their own, by number."""
        self.driver, self.accelerators, self.loaded = driver, accelerators, loaded
        self._processes = processes

    def processes(self, index: int) -> list[tuple[int, str]]:
        """Programs on one accelerator: process id and name."""
        return [(int(pid), name) for accelerator, pid, name in self._processes if accelerator == str(index)]


def read(vendor: str) -> VendorNode:
    """The accelerators of this host; none while the driver of `vendor` is not loaded."""
    text = _text(STATE)
    state: dict[str, Any] = json.loads(text) if text else {}
    module = f"{MODULES}/{str(state.get('module', '')).replace('-', '_')}"
    loaded = state.get("vendor") == vendor and os.path.isdir(module)
    accelerators: list[Accelerator] = state.get("accelerators", []) if loaded else []
    flashed = _line(FIRMWARE)
    for accelerator in accelerators:
        accelerator["firmware"] = flashed or accelerator["firmware"]
    rows = [line.split(None, 2) for line in _text(PROCESSES).splitlines()]
    return VendorNode(
        _line(f"{module}/version"),
        accelerators,
        [row for row in rows if len(row) == 3],
        loaded=loaded,
        ports=state.get("ports"),
    )


def option(words: list[str], *names: str) -> str:
    """The value of an option (``-i 3``, ``--id=3``), empty when it is absent."""
    for position, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name in names:
            return value if equals else "".join(words[position + 1 : position + 2])
    return ""


def has_option(words: list[str], *names: str) -> bool:
    """Whether one of the options is present."""
    return any(word.partition("=")[0] in names for word in words)


def reading(value: object, missing: str = "N/A", form: str = "{}") -> str:
    """`value` in `form`, or `missing` when the tool has no reading."""
    return missing if value is None else form.format(value)


def _line(path: str) -> str:
    return _text(path).partition("\n")[0].strip()


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""
