"""Every tier promises what the site's jobs demand, and keeps the stalls within what they allow.

Fails when the accelerators would wait longer than their profiles allow, when one checkpoint alone takes longer than its job allows, or when
capacity runs out. Degraded when accelerators wait at all, when checkpoints at the same time take too long, or when reading back takes longer
than the site's restart time.
"""

from __future__ import annotations

from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.design.rules.storage.degraded import weaker
from rackwright.design.storage.study import TierStudy, tiers
from rackwright.model.design import Design

SOURCE = "site workloads"
PROFILE = "site workloads, with the MLPerf Storage v2.0 profiles of 2025-06-18"


def judge(design: Design) -> Judged:
    """Per tier that jobs use: read, write, reading back after an interruption, and capacity."""
    for tier in tiers(design):
        if tier.workloads:
            yield from _read(tier)
            yield from _write(tier)
            yield from _restart(tier, design.site.operations.restart_minutes)
            yield from _room(tier)


def _read(tier: TierStudy) -> Judged:
    full, least, promise = tier.demand.read_gbytes_per_s, tier.demand.least_read_gbytes_per_s, tier.promise
    if not full:
        return
    source = SOURCE if full == least else PROFILE
    observed = f"promises {promise.read_gbytes_per_s:,.1f} GB/s of reads"
    says = f"Tier {tier.tier} {observed}; its loaders read {full:,.1f} GB/s when no accelerator waits"
    measured = sorted({workload.other_accelerator for workload in tier.workloads if workload.other_accelerator})
    says += (
        f" (profiles measured on {', '.join(measured)}; the pool's own accelerators may read more)" if measured else ""
    )
    step = f"raise read_gbytes_per_s of {tier.tier}, or cache the datasets on local drives"
    result = finding(promise.read_gbytes_per_s >= full, observed, f"{full:,.1f} GB/s", source, says, step)
    enough = promise.read_gbytes_per_s >= least
    yield f"{tier.tier} read", weaker(result) if enough else result


def _write(tier: TierStudy) -> Judged:
    """Per class of jobs with a limit for its stall: alone, and with all jobs of the class at once."""
    for workload in tier.workloads:
        saved = workload.checkpoint
        if saved is None or saved.allowed_seconds is None:
            continue
        alone, crowd = _seconds(saved.seconds), _seconds(saved.seconds_together)
        observed = f"{alone} s" + (f", {crowd} s when {workload.jobs} jobs write at once" if workload.jobs > 1 else "")
        says = f"A checkpoint of {workload.workload} ({saved.gbytes:,.1f} GB) to {tier.tier} takes {observed}"
        if saved.limited_by:
            says += f", limited by {saved.limited_by}"
        step = f"raise what limits {tier.tier} (promise or path), or allow more write_seconds"
        allowed = saved.allowed_seconds
        together = saved.seconds_together is not None and saved.seconds_together <= allowed
        result = finding(together, observed, f"at most {allowed:g} s", SOURCE, says, step)
        fits = saved.seconds is not None and saved.seconds <= allowed
        yield f"{tier.tier} checkpoint {workload.workload}", weaker(result) if fits else result


def _seconds(value: float | None) -> str:
    return "no known number of" if value is None else f"{value:,.1f}"


def _restart(tier: TierStudy, minutes: float) -> Judged:
    required, promise = tier.demand.restart_read_gbytes_per_s, tier.promise.read_gbytes_per_s
    if not required:
        return
    observed = f"promises {promise:,.1f} GB/s of reads"
    says = f"Tier {tier.tier} {observed}; one job that reads its checkpoint back beside the others asks {required:,.1f} GB/s"
    step = f"raise read_gbytes_per_s of {tier.tier}, or declare a longer operations.restart_minutes"
    expected = f"{required:,.1f} GB/s, to be back within {minutes:g} min"
    yield (
        f"{tier.tier} restart",
        weaker(finding(promise >= required, observed, expected, "site operations", says, step)),
    )


def _room(tier: TierStudy) -> Judged:
    required, promise = tier.demand.capacity_pbytes, tier.capacity_pbytes
    if not required:
        return
    observed = f"holds {promise:,.3g} PB"
    says = f"Tier {tier.tier} {observed}; kept checkpoints and datasets take {required:,.3g} PB"
    step = f"raise capacity_pbytes of {tier.tier}, or keep fewer checkpoints"
    yield f"{tier.tier} room", finding(promise >= required, observed, f"{required:,.3g} PB", SOURCE, says, step)


RULE = DesignRule("storage_demand", "Every storage tier covers the demand of its jobs", judge)
