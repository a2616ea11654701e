"""Firmware of a simulated machine beside BIOS and BMC: versions, what a BMC has taken and not put into force, its tasks, and what goes wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from rackwright.model.resource import Activation

Mishap = Literal["", "task lost", "half-flashed"]
"""What happens to the next update half-way, once: the BMC forgets the task and leaves the component as it was; it writes half of the image."""


@dataclass(frozen=True)
class StagedFirmware:
    """A version that waits for its activation."""

    version: str
    activate: Activation
    of: Literal["bios", "bmc", "other"]


@dataclass(frozen=True)
class UpdateTask:
    """One update."""

    number: int
    versions: Mapping[str, str]
    """What the image brings: version by component."""
    percent: int = 0
    """It goes on at each look at it, whatever the clock says."""
    state: str = "Running"
    message: str = ""
    """Why it failed."""


@dataclass(frozen=True)
class FirmwareState:
    """The firmware of one machine."""

    versions: Mapping[str, str] = field(default_factory=dict)
    """By component, of those that are not as they left the factory; BIOS and BMC are fields of the machine."""
    staged: Mapping[str, StagedFirmware] = field(default_factory=dict)
    broken: tuple[str, ...] = ()
    """Components of which half was written."""
    tasks: tuple[UpdateTask, ...] = ()
    mishap: Mishap = ""


@dataclass(frozen=True)
class BmcTrouble:
    """What a BMC does to requests."""

    locked: bool = False
    """Its account is locked after too many wrong passwords of somebody."""
    busy: int = 0
    """Requests that it still answers with 503."""
    stale_tags: int = 0
    """Changes that it still refuses because of their entity tag, whatever that is."""
