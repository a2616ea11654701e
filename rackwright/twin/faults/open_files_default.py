"""The limit of open files is the default of the distribution."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="open-files-default",
    summary="A session may open 1,024 files",
    apply=system(open_files=1024),
    checks=frozenset({"host.open_files"}),
    names=frozenset({"1024"}),
)
