"""Firmware of a simulated machine beside BIOS and BMC: versions, what a BMC has taken and not put into force, its tasks, and what goes wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from rackwright.model.resource import Activation

Mishap = Literal["", "task lost", "half-flashed", "erase failed"]
"""What happens to the next task half-way, once: the BMC forgets it and leaves the part as it was; it writes half of the image; the drive gives up."""


@dataclass(frozen=True)
class StagedFirmware:
    """A version that waits for its activation."""

    version: str
    activate: Activation
    of: Literal["bios", "bmc", "other"]


@dataclass(frozen=True)
class UpdateTask:
    """One update, or the erase of one drive."""

    number: int
    versions: Mapping[str, str]
    """What the image brings: version by component; of the erase of a drive nothing."""
    percent: int = 0
    """It goes on at each look at it, whatever the clock says."""
    state: str = "Running"
    message: str = ""
    """Why it failed."""
    drive: int | None = None
    """Number of the drive that it erases; None: it is an update."""


@dataclass(frozen=True)
class FirmwareState:
    """The firmware of one machine, and what else its BMC makes tasks of."""

    versions: Mapping[str, str] = field(default_factory=dict)
    """By component, of those that are not as they left the factory; BIOS and BMC are fields of the machine."""
    staged: Mapping[str, StagedFirmware] = field(default_factory=dict)
    broken: tuple[str, ...] = ()
    """Components of which half was written."""
    tasks: tuple[UpdateTask, ...] = ()
    mishap: Mishap = ""
    erased: tuple[int, ...] = ()
    """Numbers of the data drives that the BMC has erased, in the order in which it did."""


@dataclass(frozen=True)
class BmcTrouble:
    """Faults of a BMC that affect requests."""

    locked: bool = False
    """Its account is locked after too many wrong passwords of other clients."""
    busy: int = 0
    """Requests that it still answers with 503."""
    stale_tags: int = 0
    """Changes that it still refuses because of their entity tag, whatever that is."""
