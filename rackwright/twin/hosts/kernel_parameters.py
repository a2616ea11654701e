"""Copies the machine's kernel parameters for the hosts of a twin; what a role writes to /proc/sys stays in the twin.

Network parameters that Linux shows only to its first namespace come from ``parameters.yaml``.
"""

from __future__ import annotations

import contextlib
import os
from functools import cache
from pathlib import Path
from typing import Any

from rackwright.base import yaml_text
from rackwright.twin.guest.boot import LIVE_PARAMETERS

TREES = ("kernel", "vm", "fs")


def copy(target: Path) -> None:
    """Copy the parameters of `TREES` below `target`; unreadable ones are omitted."""
    for tree in TREES:
        for folder, _, files in os.walk(f"/proc/sys/{tree}"):
            copied = target / Path(folder).relative_to("/proc/sys")
            copied.mkdir(parents=True, exist_ok=True)
            for name in files:
                with contextlib.suppress(OSError):
                    (copied / name).write_bytes(Path(folder, name).read_bytes())
    for name in LIVE_PARAMETERS:
        (target / name).mkdir(parents=True, exist_ok=True)


@cache
def of_the_network() -> dict[str, dict[str, str]]:
    """Parameters that a network namespace lacks and a machine has: folder below /proc/sys -> parameter -> value."""
    loaded: dict[str, Any] = yaml_text.load(Path(__file__).with_suffix(".yaml").read_text())
    folders: dict[str, dict[str, str]] = loaded["folders"]
    return folders
