"""Judging: compares what was seen with what the design promises; pure, and repeatable offline from stored evidence.

`checks` and `limits` find the content under ``validators``; `run` gives one verdict for every check on every node, and is
`verdicts` of what `expect` makes of the design; `flips` tells two such runs apart; `basis` is what a run rests on; `learn` is
what an accepted fleet measured. Nothing here reaches out (no socket, subprocess, clock): the same evidence gives the same
verdicts on any day.
"""

from rackwright.judge.basis import basis
from rackwright.judge.evidence_age import oldest
from rackwright.judge.flips import Flip, flips
from rackwright.judge.learn import learn
from rackwright.judge.limits import LimitTable
from rackwright.judge.limits import load as limits
from rackwright.judge.lint import lint
from rackwright.judge.load import checks
from rackwright.judge.run import expect, verdicts
from rackwright.judge.site import names as plant_names
from rackwright.judge.site import of_nodes, plant, run

__all__ = [
    "Flip",
    "LimitTable",
    "basis",
    "checks",
    "expect",
    "flips",
    "learn",
    "limits",
    "lint",
    "of_nodes",
    "oldest",
    "plant",
    "plant_names",
    "run",
    "verdicts",
]
