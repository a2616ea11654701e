"""Drives of one model run the same firmware, on the node and on all nodes of its kind."""

from collections.abc import Mapping, Sequence

from rackwright import compare
from rackwright.compare.alike import compare_words
from rackwright.model.check import Expectation, FleetCheck
from rackwright.model.evidence.drives import Drives
from rackwright.model.verdict import Finding


def judge(peers: Sequence[tuple[Expectation, str | None]]) -> Mapping[str, Finding]:
    """Compare models and firmware of every node with those of most nodes of the same server."""
    return compare_words(peers, metric="fleet.alike_nodes", what="drive firmware")


def releases(record: Drives) -> str | None:
    """Every model with its firmware, in words; drives of one model that differ are named. None without drives."""
    by_release: dict[str, list[str]] = {}
    for drive in record.drives:
        by_release.setdefault(f"{drive.model} {drive.firmware}", []).append(drive.name)
    models = {drive.model for drive in record.drives}
    if len(by_release) == len(models):
        return ", ".join(sorted(by_release)) or None
    return ", ".join(f"{release} on {' '.join(names)}" for release, names in sorted(by_release.items()))


def applies(expectation: Expectation) -> bool:
    """Servers with data drives; the system drive is not planned."""
    return expectation.node.server.local_storage is not None and compare.has_accelerators(expectation)


CHECK = FleetCheck(reads=Drives, takes=releases, judge=judge, applies=applies)
