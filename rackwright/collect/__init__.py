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
"""

from rackwright.collect.burnin import Burning, burn_in, burn_plan, burnin_tests, count_fitting
from rackwright.collect.burnin import longest_seconds as longest_burn
from rackwright.collect.collector import Collectors, library
from rackwright.collect.gather import gather_evidence
from rackwright.collect.group import GroupTest, Testing, open_rounds
from rackwright.collect.plan import node_digest
from rackwright.collect.service import not_served, refused_nodes
from rackwright.collect.store.load import asked_by, load, load_merged, opened
from rackwright.collect.store.recording import Store
from rackwright.collect.store.verify import unlinked, verify, verify_run

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
