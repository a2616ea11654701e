"""All nodes with this server run the same BIOS."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare.alike import alike
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.bmc import Bmc
from rackwright.model.verdict import Finding


def judge(seen: Sequence[tuple[Expectation, Bmc]]) -> Mapping[str, Finding]:
    """Compare the version of every node with that of most nodes of the same server."""
    return alike(seen, lambda bmc: bmc.bios_version or None, metric="fleet.alike_nodes", what="BIOS")


CHECK = FleetCheck(title="BIOS version", reads=Bmc, judge=judge, applies=compare.has_accelerators)
