"""How often things break and what it costs in time: interruptions, checkpoints, nodes down, spares.

The arithmetic (interruptions, poisson,
checkpoint) knows no design; `study` and `jobs` bring the two together.
"""

from rackwright.design.availability.study import add

__all__ = ["add"]
