"""The published page: made from the stored rows alone, and a test holds it against them."""

from __future__ import annotations

from pathlib import Path

from isolating import circumstances, result

PAGE = Path(__file__).parents[2] / "validators" / "ISOLATION.md"
TEXT = """\
# Isolation: tests and rounds until every faulty node is named

`rackwright isolate` finds the faulty parts of a fleet with few tests that run at the same time. The table is made by
`python benchmarks/isolation.py --store`: random fleets, each with as many faulty nodes as the row says, the same fleets for every strategy.

- A faulty node loses 10 to 80 % of what it should reach; four of five lose the same in every test, the fifth something else each time. Readings
  scatter by 1.5 %, and one in a thousand is of something else (`validators/limits/isolation.yaml`, with sources).
- *Bound* is the number of tests that name the faulty nodes when a test says good or bad and nothing more (Shannon 1948). Ours also reads how much is lost:
  two tests that lose the same are probably bad by the same node. That chooses the next tests; what is blamed or cleared rests on good and bad alone.
- A node is blamed after two bad tests beside good partners, no partner in both, that lose on average as much as the smallest fault, if no faults that
  show at times explain them as well; both must be pairs where any fault shows at times, one where it loses less than 10 % or something else each time. It is cleared after
  two tests, so even a healthy fleet takes two screens.
- *Told how many*: `--expected N`, larger groups. *Bisection* (NVIDIA/nccl#349) begins with one test of the whole fleet and takes a reading at its word. *Matching
  and retest*: GoogleCloudPlatform/cluster-health-scanner 2025-10-31. *All pairs*: microsoft/superbenchmark 0.12, facebookresearch/gcm 2025-12-25.
- Best published beside it: NVIDIA/cluster-readiness-engine ADR-055, 232 nodes: 55 tests in 7 rounds with five faulty nodes, 28 in 3 with none.
- Means, with the 95th percentile in brackets; behind a counted share the upper end of its 95 % interval (Wilson 1927).

{table}

## Faults and fleets as they are

Made by the same command, which `make bench` plays as well and holds against its goals: a good node is blamed in at most 1 % of the searches, a faulty one
is cleared in fewer than 5 %, 95 % of small losses are found, small fleets end decided.

- A clearance states the smallest loss and the lowest frequency of a fault that its tests would have shown (99 % for each node, so 95 % for a search with five
  faults): after two good tests a fault that shows in 90 % of tests, after seven one that shows in 49 %. Tests beside a faulty node count
  for neither. *Cleared a fault*: of exactly what the node has. *Did not show*: the fault never
  showed in the few tests of its node, and the clearance does not claim that it would have.
- A bad reading whose nodes are all good elsewhere is repeated as a group; seven good repeats end the doubt, a second bad one leads to halves. What is not pinned down stays open.
- In rounds that test all nodes, readings are compared with each other: what all lose (an offset, congestion, slow large groups) is nobody's fault, and in such a fleet only losses
  beyond it are blamed. A round of suspects says nothing of that; a pair of good nodes beside them does.
- Faults that always show cost one test more than with a strategy that takes every good test for proof (this one before faults that show at times: 37.4 tests in 5.2 rounds; on the
  same 100 fleets now 38.2 in 5.2). Of these 0.8 tests, 0.6 are the bad pair required of a node that loses something else each time: without it one of 150 fleets whose faults
  show in 80 % of tests blamed a good node; 0.2 are tests against faults that only look as if they came and went. First groups of 29 nodes instead of 23 (`isolation.prior`
  0.025) take 37.3 tests in 5.8 rounds, and 16.2 in a healthy fleet, but found 94.8 % of losses of 5 to 10 % and cleared such a fault in three of 100 fleets.
- The last column says how many fleets were played.
- `--soak N` adds rounds of all nodes in shuffled order: the only way to see what shows rarely.

{circumstances}
"""
"""Around the tables."""


def page() -> str:
    """Of all rows that are stored."""
    return TEXT.format(table=result.table(result.stored()), circumstances=circumstances.table(circumstances.stored()))


def write_page() -> None:
    """Publish what is stored."""
    PAGE.write_text(page(), encoding="utf-8")
