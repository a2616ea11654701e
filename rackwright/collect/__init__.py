"""The collect stage: queries machines, stores their raw answers, and parses the answers afterwards.

    plan.py         pure: the questions for each machine, and the records that each node owes
    transports/     the ways to an answer: ssh, bmc, replay
    store/          recording.py: append-only, tamper-evident store of the raw bytes; newest.py: which answers of several
                    runs count; reading.py: answers through the parsers of validators/collectors; record_cache.py:
                    parsed records kept beside the raw bytes; assemble.py: readings -> NodeEvidence; load.py: all of it
    gather.py       queries the machines of a site, stores their answers, and reads them back
    group.py        tests over several nodes, in rounds, by launchers/ (Slurm, mpirun over SSH, Kubernetes Jobs)
    burnin.py       tests under load, one after the other on each node; service.py lists the nodes that take jobs

A machine that does not answer is recorded as evidence with an error; nothing is raised.

Modules that query machines are imported on first use: importing the clients of SSH and Redfish takes longer than judging
a site.
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
