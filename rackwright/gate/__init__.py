"""The gate: decides from verdicts which nodes may join, and makes the scheduler follow.

`decide` is pure and fails closed. `apply` resumes only nodes that rackwright drained itself, drains refused ones, and reads
back what became of it. `prove` shows that accepted nodes run jobs. What reaches the scheduler is a callable that is
passed in, so that a rehearsal and a real site make the same calls.
"""

from rackwright.gate.decide import decide
from rackwright.gate.gates import load as gates
from rackwright.gate.job import prove
from rackwright.gate.scheduler import apply
from rackwright.gate.waivers import load as waivers

__all__ = ["apply", "decide", "gates", "prove", "waivers"]
