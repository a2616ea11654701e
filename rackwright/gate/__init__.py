"""The gate: decides from verdicts which nodes may join, and makes the scheduler follow.

`decide_nodes` is pure and fails closed. `apply_decisions` resumes only nodes that rackwright drained itself, drains
refused nodes, and reads the result back. `prove_job` shows that accepted nodes run jobs. Commands to the scheduler go
through a callable that is passed in, so that a rehearsal and a real site make the same calls.
"""

from rackwright.gate.acceptance_status import group_status, node_status
from rackwright.gate.decide import decide_nodes
from rackwright.gate.gate_chain import GateInput, decide_all
from rackwright.gate.gates import load_chain, load_gate, load_gates
from rackwright.gate.groups import node_capabilities, node_groups, plant_units
from rackwright.gate.isolation_gate import IsolationPolicy, blamed_fabrics, isolation_holds
from rackwright.gate.job import JobProof, prove_job
from rackwright.gate.kubernetes import States, apply_taints, bind_to_boots
from rackwright.gate.node_change import other_state, state_holds
from rackwright.gate.parts import NodeParts, node_parts
from rackwright.gate.rejoin import RepairState, open_failures, repair_events, repair_holds
from rackwright.gate.scheduler import Run, SchedulerAct, apply_decisions
from rackwright.gate.waiver_keys import signed_content
from rackwright.gate.waiver_policy import (
    WaiverKey,
    WaiverPolicy,
    in_force,
    last_day,
    void_reasons,
    void_waivers,
    waiver_policy,
)
from rackwright.gate.waivers import load_waivers

__all__ = [
    "GateInput",
    "IsolationPolicy",
    "JobProof",
    "NodeParts",
    "RepairState",
    "Run",
    "SchedulerAct",
    "States",
    "WaiverKey",
    "WaiverPolicy",
    "apply_decisions",
    "apply_taints",
    "bind_to_boots",
    "blamed_fabrics",
    "decide_all",
    "decide_nodes",
    "group_status",
    "in_force",
    "isolation_holds",
    "last_day",
    "load_chain",
    "load_gate",
    "load_gates",
    "load_waivers",
    "node_capabilities",
    "node_groups",
    "node_parts",
    "node_status",
    "open_failures",
    "other_state",
    "plant_units",
    "prove_job",
    "repair_events",
    "repair_holds",
    "signed_content",
    "state_holds",
    "void_reasons",
    "void_waivers",
    "waiver_policy",
]
