"""The library's log goes elsewhere, so no path of a collective is proven."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="collective-unproven",
    summary="The library's log goes elsewhere, so no path of a collective is proven",
    apply=harm.machine(silent_log=True),
    checks=frozenset({"collective.in_node"}),
    names=frozenset({"no path proven"}),
    unread=True,
    elsewhere=frozenset({"collective.ports"}),
    masks=frozenset({"collective.in_node", "collective.path", "collective.path_across"}),
)
