"""A node never sees the files of others: another file system is mounted under the same path."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="files-never-seen",
    summary="A node never sees the files of others: another file system is mounted under the same path",
    apply=harm.machine(stale_files=True),
    checks=frozenset({"storage_speed.visibility"}),
    names=frozenset({"never seen"}),
)
