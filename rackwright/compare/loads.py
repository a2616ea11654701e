"""Shared by the checks of load tests: names of parts, the transport and curve of a collective, several findings as one.

Pure; fails closed like the rest of the package: a path is proven for all ranks, or it is not proven.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from rackwright.compare.majority import majority
from rackwright.compare.parts import GIB
from rackwright.compare.readings import Text, finding, worst
from rackwright.compare.series import middle
from rackwright.model.check import Expectation
from rackwright.model.design import Link
from rackwright.model.evidence.collective import Collective, CollectiveRow
from rackwright.model.evidence.storage import FileSpeed
from rackwright.model.lazy_finding import passed, worded
from rackwright.model.verdict import Finding, Outcome

NETWORKS = ("socket", "other", "ethernet", "efa", "roce", "infiniband")
"""Transports over a network, the slowest first: one rank on TCP decides for all."""
LOCAL = ("shm", "mnnvl", "nvls", "p2p")
"""Transports inside a node or NVLink domain, in the order in which they decide."""
MIB = GIB // 1024


def runs_burns(expectation: Expectation) -> bool:
    """Whether there are burns, memory tests, copies and small jobs for the node's accelerators; for `Check.applies`."""
    part = expectation.node.accelerator
    return part is not None and "load_tests" in part.capabilities


def runs_collectives(expectation: Expectation) -> bool:
    """Whether the node has several accelerators, and there is a test of collectives for them."""
    part = expectation.node.accelerator
    return runs_burns(expectation) and part is not None and part.collectives and expectation.node.accelerators > 1


def runs_between(expectation: Expectation) -> bool:
    """Whether there are tests between nodes, of rails and of collectives, for the node's accelerators."""
    part = expectation.node.accelerator
    return part is not None and "tests_between_nodes" in part.capabilities


def runs_rail_tests(expectation: Expectation) -> bool:
    """Whether the rails of the node are planned and measured one by one."""
    part = expectation.node.accelerator
    return part is not None and "rail_tests" in part.capabilities and bool(planned_rails(expectation))


def kept_share(series: Sequence[float], settle: float) -> float | None:
    """Rate at the end of a series divided by the rate after its first share `settle`; None if the series is too short."""
    part = int(len(series) * settle)
    early, end = middle(series[part : 2 * part]), middle(series[len(series) - part :])
    return end / early if part and early is not None and end is not None and early > 0 else None


def commonest(values: Mapping[str, str | None], ending: str) -> str | None:
    """The value that most of the keys with this last word have; None without a majority."""
    return majority(value for key, value in values.items() if value is not None and key.endswith(f" {ending}"))


def no_worse_than_unknown(outcome: Outcome) -> Outcome:
    """`outcome` for a test that covered too little: a failure becomes inconclusive."""
    return Outcome.INCONCLUSIVE if outcome == Outcome.FAIL else outcome


def planned_rails(expectation: Expectation) -> dict[str, Link]:
    """Adapter -> planned cable, for ports that serve accelerators."""
    ports = {port for group in expectation.node.server.ports if group.role == "compute" for port in group.names}
    return {link.port: link for link in expectation.links if link.port in ports}


def mounts_storage(expectation: Expectation) -> bool:
    """Whether a node has accelerators and ports towards storage."""
    ports = expectation.node.server.ports
    return expectation.node.accelerator is not None and any(group.role == "storage" for group in ports)


def find_job(jobs: Sequence[FileSpeed], name: str) -> FileSpeed | None:
    """The job with this name; None if there is none without errors."""
    return next((candidate for candidate in jobs if candidate.job == name and not candidate.errors), None)


def proven_transport(result: Collective) -> str:
    """The transport that the log proves for every rank; empty if it proves none for some rank, or not the same.

    Over several nodes the network decides (or MNNVL, if no network was used), in one node the links.
    """
    return _transport_of(frozenset([tuple(rank.transports) for rank in result.ranks]))


@lru_cache(maxsize=4096)
def _transport_of(ways: frozenset[tuple[str, ...]]) -> str:
    """`proven_transport` for the set of transports of the ranks, cached: most ranks of a fleet have the same."""
    used = set[str]().union(*ways)
    if not all(ways):
        return ""
    for way in NETWORKS:
        if way in used:
            return way
    for way in LOCAL:
        if way in used and (way == "shm" or all(way in used_ways for used_ways in ways)):
            return way
    return ""


def large_rows(result: Collective) -> list[CollectiveRow]:
    """The rows that are judged: out of place, one GiB and more, smallest first."""
    return [row for row in result.rows if row.bytes >= GIB and not row.in_place]


def wrong_elements(result: Collective) -> int | None:
    """Wrong elements of all sizes; None if a size out of place was not checked.

    In place, some collectives are never checked.
    """
    count = sum(row.wrong or 0 for row in result.rows)
    checked = [row.wrong is not None for row in result.rows if not row.in_place]
    return count if count or (checked and all(checked)) else None


def size_name(row: CollectiveRow) -> str:
    """The size as limits name it (``8GiB``)."""
    return f"{row.bytes // GIB}GiB"


def bandwidth_curve(result: Collective) -> str:
    """Bus bandwidth in GB/s at every size, out of place, in words."""
    return ", ".join(
        f"{size_name(row) if row.bytes >= GIB else f'{row.bytes // MIB}MiB'} {row.busbw_gbytes_per_s:.4g}"
        for row in result.rows
        if not row.in_place
    )


def wire_bandwidth(result: Collective, row: CollectiveRow) -> float:
    """GB/s that each accelerator's share of the network carries in one direction.

    With n ranks on k nodes a two-level all-reduce, all-gather or reduce-scatter sends (k-1)/(n-1) of its bus bandwidth out of the node
    (stas00/ml-engineering, network/README.md, read 2026-07-29). In an all-to-all every rank sends (n - n/k)/n of its buffer away, which is
    (n - n/k)/(n-1) of its bus bandwidth (NVIDIA/nccl-tests doc/PERFORMANCE.md).
    """
    ranks, nodes = len(result.ranks), len(result.nodes)
    away = ranks - ranks / nodes if result.collective == "all_to_all" else nodes - 1
    return row.busbw_gbytes_per_s * away / (ranks - 1)


def sent_bytes(result: Collective, node: str) -> float:
    """Bytes that the accelerators of `node` must send out of it for all sizes and iterations, without the warm-up
    (`wire_bandwidth`).
    """
    local_ranks = sum(rank.node == node for rank in result.ranks)
    each = sum(
        row.bytes / row.algbw_gbytes_per_s * wire_bandwidth(result, row)
        for row in result.rows
        if row.algbw_gbytes_per_s
    )
    return local_ranks * each * (result.iterations or 0)


def combine_findings(findings: Iterable[Finding]) -> Finding:
    """The finding that decides, with the sentences of all findings with the same outcome.

    `findings` must not be empty.
    """
    listed = list(findings)
    if len(listed) == 1:
        return listed[0]
    decides = worst([part_finding.outcome for part_finding in listed])
    if decides is Outcome.PASS:
        return passed(lambda: _joined_findings(listed))
    return _joined_findings([part_finding for part_finding in listed if part_finding.outcome == decides])


def _joined_findings(findings: Sequence[Finding]) -> Finding:
    """Several findings with the same outcome as one."""
    same = [worded(part_finding) for part_finding in findings]
    first = same[0]
    further = [next_finding.says.split(": ", 1)[-1] for next_finding in same[1:]]
    observed = "; ".join(dict.fromkeys(part_finding.observed for part_finding in same if part_finding.observed))
    unlimited = [reading for part_finding in same for reading in part_finding.unlimited]
    says = "; ".join([first.says, *further])
    advisory = all(part_finding.advisory for part_finding in same)
    # Equal to `model_copy`, which takes as long as wording two findings.
    changed = {"says": says, "observed": observed, "unlimited": unlimited, "advisory": advisory}
    return Finding.of_fields({**vars(first), **changed})


def untested_finding(expectation: Expectation, counted: int, what: Text, nodes: int = 1) -> Finding | None:
    """The inconclusive finding if fewer accelerators took part than `nodes` nodes have, so that their result does not
    represent all; None otherwise.
    """
    bought = expectation.node.accelerators * nodes
    if counted >= bought:
        return None
    says = f"{counted} of {bought} accelerators took part"
    return finding(
        expectation,
        Outcome.INCONCLUSIVE,
        what=what,
        observed=says,
        expected=f"all {bought}",
        source="design of the node",
    )
