"""The gate: decides from verdicts which nodes may join, and makes the scheduler follow.

`decide` is pure and fails closed. `apply` resumes only nodes that rackwright drained itself, drains refused ones, and reads
back what became of it. `prove` shows that nodes in service run jobs. What reaches the scheduler is a callable that is
passed in, so that a rehearsal and a real site make the same calls.
"""

from rackwright.gate.decide import decide
from rackwright.gate.gate_chain import Case, decide_all
from rackwright.gate.gates import chain, chosen
from rackwright.gate.gates import load as gates
from rackwright.gate.groups import groups, plant
from rackwright.gate.isolation_gate import Wanted, closed, held_back
from rackwright.gate.job import Proof, prove
from rackwright.gate.kubernetes import apply_taints, kubectl_works
from rackwright.gate.parts import parts
from rackwright.gate.rejoin import Repaired, events, held, open_failures
from rackwright.gate.scheduler import Act, Run, apply
from rackwright.gate.waivers import days_left, void
from rackwright.gate.waivers import load as waivers

__all__ = [
    "Act",
    "Case",
    "Proof",
    "Repaired",
    "Run",
    "Wanted",
    "apply",
    "apply_taints",
    "chain",
    "chosen",
    "closed",
    "days_left",
    "decide",
    "decide_all",
    "events",
    "gates",
    "groups",
    "held",
    "held_back",
    "kubectl_works",
    "open_failures",
    "parts",
    "plant",
    "prove",
    "void",
    "waivers",
]
