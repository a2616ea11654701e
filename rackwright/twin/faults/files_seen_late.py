"""A node sees the files of others seconds late."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="files-seen-late",
    summary="A node sees the files of others seconds late",
    apply=harm.machine(visible_seconds=9.0),
    checks=frozenset({"storage_speed.visibility"}),
    names=frozenset({"seen on /scratch"}),
)
