"""A job with checkpoints makes progress despite interruptions: writing, rework and restarts take less than all of its time.

Inconclusive where the time to write is unknown, because no path leads to the tier.
"""

from __future__ import annotations

from typing import Any

from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model.design import Design
from rackwright.model.verdict import Finding, Outcome

SOURCE = "Young (1974): 1 - C/T - T/(2 M) - R/M, rates of failure_rates.yaml"
EXPECTED = "more than 0 % of the time left for work"


def judge(design: Design) -> Judged:
    """Per class of jobs with checkpoints, at its declared interval, or at the best one."""
    for job in design.studies.get("availability", {}).get("workloads", []):
        if job["checkpoint"]:
            yield job["workload"], _judge(job, job["checkpoint"])


def _judge(job: dict[str, Any], saved: dict[str, Any]) -> Finding:
    name = job["workload"]
    if saved["used"] is None:
        says = f"How long a checkpoint of {name} takes is not known; expected {EXPECTED} ({SOURCE})."
        step = "connect its pool with the storage tier it saves to"
        return Finding(
            outcome=Outcome.INCONCLUSIVE,
            observed="no time to write",
            expected=EXPECTED,
            source=SOURCE,
            says=says,
            next_step=step,
        )
    used = saved[saved["used"]]
    observed = f"{used['goodput']:.1%} of the time is left"
    minutes = used["interval_minutes"]
    every = f"every {minutes:.{1 if minutes >= 1 else 4}f} min ({saved['used']})"
    stall, mtbi = saved["stall_seconds"], saved["mtbi_hours"]
    says = (
        f"{name} on {job['nodes']} nodes saves {every}, {stall:,.0f} s each, interrupted every {mtbi:.2f} h: {observed}"
    )
    step = "save at the best interval of studies.availability, write faster, or split the job"
    return finding(used["goodput"] > 0, observed, EXPECTED, SOURCE, says, step)


RULE = DesignRule("job_progress", "Jobs move forward in spite of interruptions", judge)
