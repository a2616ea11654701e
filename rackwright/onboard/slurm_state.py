"""What Slurm says of jobs and nodes, read from `squeue` and `sinfo`. Two questions serve the whole site: asking node by node costs slurmctld and
us a call each.
"""

from __future__ import annotations

from dataclasses import dataclass

from rackwright.model.hostlist import expand

SQUEUE = ("squeue", "--noheader", "--all", "--format=%A|%u|%N")
"""Job, user, nodes (squeue(1)); pending jobs have no nodes. Steps that still end on a node (COMPLETING) are listed."""
SINFO = ("sinfo", "--noheader", "--all", "--Node", "--format=%N|%T|%E")
"""Node, state, reason (sinfo(1)); a node stands once per partition."""
NOBODYS = ("", "none", "not responding")
"""Reasons that Slurm itself gives to a node that is down (slurmctld, node_mgr.c of 22.05); any other is a person's."""


@dataclass(frozen=True)
class SlurmState:
    """One node as Slurm has it."""

    state: str
    """Lower case, as `sinfo` prints it (``idle``, ``draining*``)."""
    reason: str

    @property
    def taken_out(self) -> bool:
        """Whether it gets no new jobs because somebody asked for it. A node that only fell silent may be back at any moment."""
        if self.state.startswith("down"):
            return self.reason.lower() not in NOBODYS
        return self.state.startswith(("drain", "fail"))


def jobs_by_node(text: str) -> dict[str, tuple[str, ...]]:
    """Jobs by node: ``job 17 of alice``."""
    by_node: dict[str, list[str]] = {}
    for line in text.splitlines():
        number, _, columns = line.strip().partition("|")
        user, _, nodes = columns.partition("|")
        for node in expand(nodes) if nodes else ():
            by_node.setdefault(node, []).append(f"job {number} of {user}")
    return {node: tuple(dict.fromkeys(names)) for node, names in by_node.items()}


def states_by_node(text: str) -> dict[str, SlurmState]:
    """State by node."""
    by_node = {}
    for line in text.splitlines():
        node, _, columns = line.strip().partition("|")
        state, _, reason = columns.partition("|")
        if state:
            by_node[node] = SlurmState(state.lower(), reason.strip())
    return by_node
