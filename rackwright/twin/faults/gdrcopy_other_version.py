"""GDRCopy was installed by hand at another version."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import moved

FAULT = Fault(
    name="gdrcopy-other-version",
    summary="GDRCopy is at another version than declared",
    apply=moved("gdrdrv-dkms", "2.5-1"),
    checks=frozenset({"software.gdrcopy"}),
    names=frozenset({"2.5"}),
)
