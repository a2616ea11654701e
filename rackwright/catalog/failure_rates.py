"""How often parts and nodes fail, read from ``failure_rates.yaml``: counts of published runs, and yearly rates of parts."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Literal

from pydantic import Field

from rackwright.catalog.datafile import read_record
from rackwright.model.base import Name, Positive, Record
from rackwright.model.sku import Source

DAYS_PER_YEAR = 365.25
Group = Literal["accelerator", "network", "host", "software", "maintenance"]
Part = Literal[
    "accelerator", "nic", "cpu", "memory", "ssd", "psu", "fan", "chassis", "switch", "link", "optic", "copper-cable"
]


class Cause(Record):
    """Interruptions of a run that had one cause."""

    cause: Name
    group: Group
    """accelerator: the accelerator, its memory, firmware or cooling; maintenance: a host taken out unplanned."""
    count: Annotated[int, Field(ge=0)]


class TrainingRun(Record):
    """A published training run and what interrupted it."""

    name: Name
    accelerator: str
    """SKU of the accelerators."""
    accelerators: Positive
    accelerators_per_node: Positive
    days: Annotated[float, Field(gt=0)]
    planned: Annotated[int, Field(ge=0)]
    """Planned interruptions, counted in none of the causes."""
    causes: list[Cause]


class ContradictedShare(Record):
    """A share that a publication prints and that its own counts contradict; the counts are used."""

    run: Name
    claim: str
    printed_share: float
    counts: Annotated[int, Field(ge=0)]
    """Interruptions the claim is about; divided by all unplanned ones of the run this is the share that holds."""


class NodeRate(Record):
    """Failures of nodes in one cluster."""

    name: Name
    accelerator: str
    failures_per_1000_node_days: Annotated[float, Field(gt=0)]


class MeanTime(Record):
    """Mean time between failures of jobs of one size."""

    accelerators: Positive
    hours: Annotated[float, Field(gt=0)]
    basis: Literal["measured", "modelled"]


class PartRate(Record):
    """Failures of one part per year of service: what spares are counted from."""

    part: Part
    failures_per_year: Annotated[float, Field(gt=0)]


class FailureRates(Record):
    """Everything of ``failure_rates.yaml``."""

    runs: list[TrainingRun]
    errata: list[ContradictedShare]
    node_rates: list[NodeRate]
    mean_times: list[MeanTime]
    parts: list[PartRate]
    sources: list[Source]

    def run(self, name: str) -> TrainingRun:
        """The run of that name; raises ``KeyError`` for one that is not recorded."""
        return {run.name: run for run in self.runs}[name]

    def node_rate(self, name: str) -> NodeRate:
        """The node rate of that name; raises ``KeyError`` for one that is not recorded."""
        return {rate.name: rate for rate in self.node_rates}[name]

    def per_year(self, part: Part) -> float:
        """Failures per year of one `part`."""
        return {rate.part: rate.failures_per_year for rate in self.parts}[part]


@cache
def load() -> FailureRates:
    """``failure_rates.yaml`` as its record."""
    return read_record("failure_rates", FailureRates)


def unplanned(run: TrainingRun, group: Group | None = None) -> int:
    """Unplanned interruptions of `run`, all or those of one group of causes."""
    return sum(cause.count for cause in run.causes if group in (None, cause.group))


def accelerator_years(run: TrainingRun) -> float:
    """Years of service of all accelerators of `run` together."""
    return run.accelerators * run.days / DAYS_PER_YEAR


def per_accelerator_year(run: TrainingRun, group: Group | None = None) -> float:
    """Unplanned interruptions per accelerator and year, all or those of one group of causes."""
    return unplanned(run, group) / accelerator_years(run)


def per_1000_node_days(run: TrainingRun, group: Group | None = None) -> float:
    """Unplanned interruptions per 1,000 node-days, the unit in which clusters are compared."""
    nodes = run.accelerators / run.accelerators_per_node
    return 1000 * unplanned(run, group) / (nodes * run.days)
