"""How often running jobs are interrupted: counted rates of a published run, times what the design has.

The sums of published clusters stand beside it, because sites differ by a factor of three.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rackwright.catalog.failure_rates import FailureRates, Group, TrainingRun, unplanned

HOURS_PER_DAY = 24.0
GROUPS: dict[Group, str] = {
    "accelerator": "accelerators",
    "network": "links",
    "host": "nodes",
    "software": "nodes",
    "maintenance": "nodes",
}
"""What each group of causes is counted per; the reference run has one fabric link per accelerator."""
REPAIRED: tuple[Group, ...] = ("accelerator", "network", "host", "maintenance")
"""Groups after which a node stays out until it is repaired; after the others the job just starts again."""


@dataclass(frozen=True)
class Counts:
    """Numbers of parts that can fail, of a site, a pool or a job."""

    accelerators: float
    links: float
    """Links of nodes into the compute fabric."""
    nodes: float

    def times(self, share: float) -> Counts:
        """Every number times `share`."""
        return Counts(self.accelerators * share, self.links * share, self.nodes * share)


def reference(rates: FailureRates, accelerator: str | None = None) -> TrainingRun:
    """The published run whose rates are used: one on the same accelerator, else the first."""
    return next((run for run in rates.runs if run.accelerator == accelerator), rates.runs[0])


def counts_of(run: TrainingRun) -> Counts:
    """Numbers of parts in the published run."""
    return Counts(run.accelerators, run.accelerators, run.accelerators / run.accelerators_per_node)


def per_day(counts: Counts, run: TrainingRun) -> dict[Group, float]:
    """Expected interruptions per day by group of causes: count x (interruptions of the run / its days / its count)."""
    had = counts_of(run)
    return {
        group: getattr(counts, unit) * unplanned(run, group) / (run.days * getattr(had, unit))
        for group, unit in GROUPS.items()
    }


def mtbi_hours(interruptions_per_day: float) -> float | None:
    """Mean time between interruptions in hours; None where nothing interrupts."""
    return HOURS_PER_DAY / interruptions_per_day if interruptions_per_day > 0 else None


def estimates(counts: Counts, rates: FailureRates, run: TrainingRun) -> list[dict[str, Any]]:
    """The mean time of a job of this size by every published figure, in hours, shortest first."""
    intervals = list(_published_counts(counts, rates, run))
    computed = mtbi_hours(sum(per_day(counts, run).values()))
    if computed is not None:
        intervals.append({"basis": f"rates of {run.name} x counts of this design", "mtbi_hours": computed})
    return sorted(intervals, key=lambda interval: (float(interval["mtbi_hours"]), str(interval["basis"])))


def _published_counts(counts: Counts, rates: FailureRates, run: TrainingRun) -> Iterator[dict[str, Any]]:
    """Mean times by published node rates and measured jobs, in hours.

    Node rates are per node of the published size, so accelerators are counted in such nodes. Times measured on jobs of one size are scaled down to
    smaller jobs; larger jobs are left out, because they were seen to do better than in proportion.
    """
    nodes = counts.accelerators / run.accelerators_per_node
    if nodes <= 0:
        return
    for rate in rates.node_rates:
        hours = mtbi_hours(nodes * rate.failures_per_1000_node_days / 1000)
        yield {"basis": f"{rate.name}: {rate.failures_per_1000_node_days:g} per 1,000 node-days", "mtbi_hours": hours}
    for mean in rates.mean_times:
        if mean.basis == "measured" and counts.accelerators <= mean.accelerators:
            hours = mean.hours * mean.accelerators / counts.accelerators
            yield {"basis": f"measured on jobs of {mean.accelerators} accelerators", "mtbi_hours": hours}
