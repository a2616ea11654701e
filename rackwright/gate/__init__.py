"""The gate: decides from verdicts which nodes may join, and makes the scheduler follow.

`decide` is pure and fails closed. `apply` resumes only nodes that rackwright drained itself, drains refused ones, and reads
back what became of it. `prove` shows that nodes in service run jobs. What reaches the scheduler is a callable that is
passed in, so that a rehearsal and a real site make the same calls.
"""

from rackwright.gate.decide import decide
from rackwright.gate.gates import chosen
from rackwright.gate.gates import load as gates
from rackwright.gate.job import Proof, prove
from rackwright.gate.scheduler import Act, Run, apply
from rackwright.gate.waivers import load as waivers
from rackwright.gate.waivers import void

__all__ = ["Act", "Proof", "Run", "apply", "chosen", "decide", "gates", "prove", "void", "waivers"]
