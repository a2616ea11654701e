"""Huge pages are set up as on the other nodes."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare.alike import alike
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.tuning import Tuning
from rackwright.model.verdict import Finding


def judge(peers: Sequence[tuple[Expectation, str | None]]) -> Mapping[str, Finding]:
    """Compare the mode of transparent huge pages and the pages set aside with most nodes of the same server."""
    return alike(peers, metric="fleet.alike_nodes", what="huge pages:")


def setup(record: Tuning) -> str | None:
    """Mode and pools in words; None where the kernel says neither."""
    pools = [f"{pages} in {pool}" for pool, pages in sorted(record.hugepages.items()) if pages]
    mode = [f"transparent {record.transparent_hugepages}"] if record.transparent_hugepages else []
    return ", ".join([*mode, *pools]) or None


CHECK = FleetCheck(reads=Tuning, takes=setup, judge=judge, applies=compare.has_accelerators)
