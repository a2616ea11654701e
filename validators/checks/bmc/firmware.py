"""All BMCs of nodes with this server run the same firmware."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare.alike import compare_words
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.verdict import Finding


def judge(peers: Sequence[tuple[Expectation, str | None]]) -> Mapping[str, Finding]:
    """Compare the version of every node with that of most nodes of the same server."""
    return compare_words(peers, metric="fleet.alike_nodes", what="BMC firmware")


def version(record: BmcEvidence) -> str | None:
    """The firmware version; None if the BMC does not report it."""
    return record.bmc_version or None


CHECK = FleetCheck(reads=BmcEvidence, takes=version, judge=judge, applies=compare.has_accelerators)
