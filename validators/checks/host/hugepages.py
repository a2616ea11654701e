"""The node has the same huge-page setup as its peers."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare.alike import compare_words
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.tuning import Tuning
from rackwright.model.verdict import Finding


def judge(peers: Sequence[tuple[Expectation, str | None]]) -> Mapping[str, Finding]:
    """Compare transparent huge pages and reserved pages with most nodes of the same server."""
    return compare_words(peers, metric="fleet.alike_nodes", what="huge pages:")


def setup(record: Tuning) -> str | None:
    """Mode and pools in words; None if the kernel reports neither."""
    pools = [f"{pages} in {pool}" for pool, pages in sorted(record.hugepages.items()) if pages]
    mode = [f"transparent {record.transparent_hugepages}"] if record.transparent_hugepages else []
    return ", ".join([*mode, *pools]) or None


CHECK = FleetCheck(reads=Tuning, takes=setup, judge=judge, applies=compare.has_accelerators)
