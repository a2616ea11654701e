"""The running kernel is the declared one, or the one of the node's peers."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare.alike import compare_words
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.host import Host
from rackwright.model.verdict import Finding


def judge(peers: Sequence[tuple[Expectation, str | None]]) -> Mapping[str, Finding]:
    """Compare the release with the software bill, or with most nodes of the same server if the bill has none."""
    return compare_words(peers, metric="fleet.alike_nodes", what="kernel", pinned=declared)


def release(record: Host) -> str | None:
    """The running release."""
    return record.kernel or None


def declared(expectation: Expectation) -> tuple[str, str]:
    """The kernel of the bill, with its source."""
    return expectation.software.kernel, "site software.kernel"


CHECK = FleetCheck(reads=Host, takes=release, judge=judge, applies=compare.has_accelerators)
