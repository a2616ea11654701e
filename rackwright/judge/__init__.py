"""Judging: compares what was seen with what the design promises; pure, and repeatable offline from stored evidence.

`checks` and `limits` find the content under ``validators``; `run` gives one verdict for every check on every node. It
imports nothing that reaches out (no socket, subprocess, clock): the same evidence gives the same verdicts on any day.
"""

from rackwright.judge.limits import LimitTable
from rackwright.judge.limits import load as limits
from rackwright.judge.load import checks
from rackwright.judge.run import run

__all__ = ["LimitTable", "checks", "limits", "run"]
