"""Judging: compares readings with what the design promises. Pure, and repeatable offline from stored evidence.

`load_checks` and `load_limits` read the content under ``validators``; `judge_evidence` gives one verdict for every check on every node;
`verdict_flips` compares two judgements; `basis` names by hash what a judgement rests on; `learn_baselines` gives what an accepted fleet
measured. Nothing in this package uses a socket, a subprocess or a clock: the same evidence gives the same verdicts on any day.

    engine.py          one engine for text, JSON, gate, pytest and verify: findings shared by equal nodes
    judgement.py       the parts of a fleet put together: fleet checks, verdicts
    expect.py          the expectations of every node, from the design
"""

from rackwright.judge.basis import basis
from rackwright.judge.calibrated_rows import calibrations, in_force, lapsed_rows, limits_in_force
from rackwright.judge.calibration import calibrate
from rackwright.judge.engine import Engine
from rackwright.judge.evidence_age import oldest as oldest_counting
from rackwright.judge.expect import expect
from rackwright.judge.flips import Flip
from rackwright.judge.flips import flips as verdict_flips
from rackwright.judge.judgement import join
from rackwright.judge.learn import learn as learn_baselines
from rackwright.judge.limits import LimitTable, limits_text
from rackwright.judge.limits import load as load_limits
from rackwright.judge.lint import lint as lint_limits
from rackwright.judge.load import checks as load_checks
from rackwright.judge.load import first_step
from rackwright.judge.plant import node_checks, plant_names, plant_verdicts, unit_findings
from rackwright.judge.reference_proof import HardwareChoice
from rackwright.judge.reference_proof import unproven as unproven_limits
from rackwright.judge.references import load_references
from rackwright.judge.references import uncovered as uncovered_limits
from rackwright.judge.site import judge_evidence
from rackwright.judge.unlimited import unlimited_readings

__all__ = [
    "Engine",
    "Flip",
    "HardwareChoice",
    "LimitTable",
    "basis",
    "calibrate",
    "calibrations",
    "expect",
    "first_step",
    "in_force",
    "join",
    "judge_evidence",
    "lapsed_rows",
    "learn_baselines",
    "limits_in_force",
    "limits_text",
    "lint_limits",
    "load_checks",
    "load_limits",
    "load_references",
    "node_checks",
    "oldest_counting",
    "plant_names",
    "plant_verdicts",
    "uncovered_limits",
    "unit_findings",
    "unlimited_readings",
    "unproven_limits",
    "verdict_flips",
]
