"""Proves on the design that jobs of every class can be placed, and finds capacity that nobody may use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from rackwright.base.errors import Problem
from rackwright.locality.places import DOMAINS, of_part, places
from rackwright.model.capacity import PoolPart, of_class, of_quota, parts
from rackwright.model.design import Design
from rackwright.model.tenancy import JobClass, PlacementDomain

ANYWHERE = "pool"
"""Word for a part of a pool as a whole."""


@dataclass(frozen=True)
class JobSize:
    """A job that must be placeable: number of accelerators, in groups of `tensor` that are joined by NVLink or one
    node.
    """

    field: str
    """Field of the class."""
    accelerators: int
    tensor: int = 1
    text: str = ""


@dataclass(frozen=True)
class Stranded:
    """Accelerators of a part that no job can get, and the reason."""

    part: str
    accelerators: int
    why: str

    def __str__(self) -> str:
        return f"{self.accelerators} accelerators of {self.part}: {self.why}"


def problems(design: Design) -> list[Problem]:
    """A problem for every size and shape of a class for which no domain of the design has room."""
    site = design.site
    if not site.classes:
        return []
    every, nodes = parts(site, design.servers, design.accelerators), places(design)
    return [
        problem
        for i, job in enumerate(site.classes)
        for problem in _of_class(f"classes[{i}]", job, of_class(job, site, every), nodes)
    ]


def stranded(design: Design) -> list[Stranded]:
    """Capacity that no quota assigns, and capacity where no class of jobs runs; empty for a site without tenants."""
    site = design.site
    every = parts(site, design.servers, design.accelerators) if site.tenants else []
    runs = {part for job in site.classes for part in of_class(job, site, every)}
    result = []
    for part in every:
        promised = sum(
            quota.accelerators for tenant in site.tenants for quota in tenant.quota if of_quota(quota, every) == [part]
        )
        if part.available > promised:
            result.append(Stranded(part.name, part.available - promised, "in no quota"))
        if promised and site.classes and part not in runs:
            result.append(Stranded(part.name, promised, "no class of jobs runs there"))
    return result


def _needs(job: JobClass) -> list[JobSize]:
    """Each shape, otherwise the smallest and the largest job."""
    if job.shapes:
        return [
            JobSize(f"shapes[{j}]", shape.accelerators, shape.tensor, f" of shape {shape}")
            for j, shape in enumerate(job.shapes)
        ]
    smallest = JobSize("minimum", job.minimum)
    return [smallest] if job.most == job.minimum else [smallest, JobSize("maximum", job.most)]


def _of_class(path: str, job: JobClass, where: list[PoolPart], nodes: pl.DataFrame) -> Iterator[Problem]:
    rooms = [(part, of_part(nodes, part)) for part in where]
    for need in _needs(job):
        most = _most(rooms, job.domain, need.tensor)
        if most < need.accelerators:
            yield _unplaceable(f"{path}.{need.field}", job, need, most, rooms)
            return


def _most(rooms: list[tuple[PoolPart, pl.DataFrame]], domain: PlacementDomain | None, tensor: int) -> int:
    """Accelerators of the largest job with groups of `tensor` that fits into one domain."""
    return max((_room(nodes, part.per_node, domain, tensor) for part, nodes in rooms), default=0)


def _room(nodes: pl.DataFrame, per_node: int, domain: PlacementDomain | None, tensor: int) -> int:
    """Accelerators of the domain with most room, in whole groups of `tensor`, each within one NVLink domain."""
    outer = pl.col(domain) if domain else pl.lit(ANYWHERE)
    inner = nodes.group_by(outer.alias("outer"), pl.col("nvlink-domain").alias("inner")).len()
    fitting = inner.with_columns(room=pl.col("len") * per_node // tensor * tensor)
    most = fitting.group_by("outer").agg(pl.col("room").sum())["room"].max()
    return int(most) if isinstance(most, int) else 0


def _unplaceable(
    path: str, job: JobClass, need: JobSize, most: int, rooms: list[tuple[PoolPart, pl.DataFrame]]
) -> Problem:
    domain = job.domain or ANYWHERE
    names = ", ".join(f"{part.name} ({part.nodes} nodes of {part.per_node})" for part, _ in rooms) or "no nodes"
    largest = (
        f"the largest {domain} takes {most}"
        if most
        else f"no {domain} takes a job with {need.tensor} accelerators joined by NVLink"
    )
    return Problem(
        place="site",
        path=path,
        message=f"no {domain} has room for a job{need.text} of class {job.name}",
        expected=f"{need.accelerators} accelerators in one {domain}"
        + (f", in groups of {need.tensor} that NVLink joins" if need.tensor > 1 else ""),
        found=f"{largest}, in {names}",
        next_step=_step(job, need, most, rooms),
        code="design.unplaceable",
    )


def _step(job: JobClass, need: JobSize, most: int, rooms: list[tuple[PoolPart, pl.DataFrame]]) -> str:
    """The next step: the narrowest wider domain that has room, otherwise a smaller job."""
    wider = DOMAINS[DOMAINS.index(job.domain) + 1 :] if job.domain else ()
    for domain in wider:
        if _most(rooms, domain, need.tensor) >= need.accelerators:
            return f"ask for at most {most} accelerators, or for domain {domain}, which has room"
    if wider and _most(rooms, None, need.tensor) >= need.accelerators:
        return f"ask for at most {most} accelerators, or leave domain out"
    return (
        f"ask for at most {most} accelerators, or let the class into another pool"
        if most
        else "lower the tensor degree"
    )
