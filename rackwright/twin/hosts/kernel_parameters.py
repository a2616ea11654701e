"""Copies the machine's kernel parameters for the hosts of a twin, so that what a role writes to /proc/sys stays in the twin.

Parameters of the network that Linux shows to its first namespace alone come from ``parameters.yaml``.
"""

from __future__ import annotations

import contextlib
import os
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from rackwright.twin.guest.boot import LIVE_PARAMETERS

TREES = ("kernel", "vm", "fs")


def copy(target: Path) -> None:
    """Copy the parameters of `TREES` below `target`; those that cannot be read are left out."""
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
    """Folder below /proc/sys -> parameter -> value, for what a network namespace lacks and a machine has."""
    loaded: dict[str, Any] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text())
    found: dict[str, dict[str, str]] = loaded["folders"]
    return found
