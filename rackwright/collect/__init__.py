"""The collect stage: queries machines, stores their raw answers, and parses them only then.

   plan.py         pure: the questions for each machine, and the records that each node owes
   transports/     the ways to an answer: ssh, bmc, replay
   store.py        raw bytes first, in an append-only, tamper-evident store
   choose.py       pure: which answers of several runs count
   answered.py     answers, read by the parsers of validators/collectors
   pages.py        what these made of a run, kept beside its raw bytes; paged.py reads it while the parsers are the same
   assemble.py     pure: readings -> NodeEvidence
   gather.py       all of it for a site          load.py  the same from the store alone
   group.py        tests over several nodes, in rounds, by launchers/ (Slurm, mpirun over SSH, Kubernetes Jobs)
   burnin.py       the same under load, one test after the other; service.py says which nodes take jobs

A machine that does not answer is evidence too, not an error.

What queries machines is imported on first use: the clients of SSH and Redfish take longer to import than a site to judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rackwright.base.first_use import on_first_use
from rackwright.collect.collector import Collectors, library
from rackwright.collect.plan import node_digest
from rackwright.collect.service import not_served, refused_nodes
from rackwright.collect.store.load import asked_by, load, load_merged, opened
from rackwright.collect.store.recording import Store
from rackwright.collect.store.verify import unlinked, verify, verify_run

if TYPE_CHECKING:
    from rackwright.collect.burnin import Burning, burn_in, burn_plan, burnin_tests, count_fitting, longest_burn
    from rackwright.collect.gather import gather_evidence
    from rackwright.collect.group import GroupTest, Testing, open_rounds

__all__ = [
    "Burning",
    "Collectors",
    "GroupTest",
    "Store",
    "Testing",
    "asked_by",
    "burn_in",
    "burn_plan",
    "burnin_tests",
    "count_fitting",
    "gather_evidence",
    "library",
    "load",
    "load_merged",
    "longest_burn",
    "node_digest",
    "not_served",
    "open_rounds",
    "opened",
    "refused_nodes",
    "unlinked",
    "verify",
    "verify_run",
]

__getattr__ = on_first_use(
    __name__,
    burnin="Burning burn_in burn_plan burnin_tests count_fitting longest_burn",
    gather="gather_evidence",
    group="GroupTest Testing open_rounds",
)
