"""The levels of a pool: node labels that nest, from the hall to the host, and the label that a class of jobs requires."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import polars as pl

from rackwright.base.errors import Problem
from rackwright.locality import groups
from rackwright.model.capacity import of_class, parts
from rackwright.model.design import Design
from rackwright.model.tenancy import JobClass
from rackwright.platform.labels import COLUMNS, NodeLabels, keys

ORDER = ("zone", *reversed(groups.NAMES), "unit", "rack", "domain", "node")
"""Order of columns that hold the same groups, the coarsest first."""


def level_columns(labels: NodeLabels, pool: str, requested: Sequence[str]) -> list[str]:
    """Columns that nest in the pool, the coarsest first and the node last; `requested` columns take precedence over
    others that do not nest with them.
    """
    nodes = labels.nodes.filter(pl.col("pool") == pool)
    held = [column for column in ORDER if column == "node" or column in labels.keys.values()]
    complete = [column for column in held if nodes[column].null_count() == 0]
    chain = ["node"]
    for column in dict.fromkeys([*(name for name in requested if name in complete), *complete]):
        if column not in chain and all(_nest(nodes, column, level) for level in chain):
            chain.append(column)
    return sorted(chain, key=lambda column: (nodes[column].n_unique(), ORDER.index(column)))


def level_keys(labels: NodeLabels, columns: Iterable[str]) -> list[str]:
    """Label keys of the columns from `level_columns`."""
    return [keys()["hostname"] if column == "node" else labels.key(column) for column in columns]


def domain_column(labels: NodeLabels, pool: str, job: JobClass) -> str:
    """The column that holds the placement domain of a class in a pool; empty for a job without a domain."""
    if job.domain is None:
        return ""
    nodes = labels.nodes.filter(pl.col("pool") == pool)
    tiers = [name for name in reversed(groups.NAMES) if name in nodes.columns and nodes[name].null_count() == 0]
    column = (tiers or ["node"])[0] if job.domain == "fabric" else COLUMNS.get(job.domain, "node")
    return column if nodes[column].null_count() == 0 else "node"


def wanted_columns(design: Design, labels: NodeLabels, pool: str) -> list[str]:
    """Columns that the classes of a pool require, those of the highest priority first."""
    every = parts(design.site, design.servers, design.accelerators, "kubernetes")
    jobs = sorted(design.site.classes, key=lambda job: -job.priority)
    here = [job for job in jobs if any(part.pool == pool for part in of_class(job, design.site, every))]
    return [column for job in here if (column := domain_column(labels, pool, job))]


def problems(design: Design, labels: NodeLabels) -> list[Problem]:
    """Problems of classes in one pool whose placement domains do not nest: one topology of Kueue cannot hold both."""
    site, result = design.site, []
    every = parts(site, design.servers, design.accelerators, "kubernetes")
    for pool in [pool.name for pool in site.pools_of("kubernetes")]:
        columns = level_columns(labels, pool, wanted_columns(design, labels, pool))
        for i, job in enumerate(site.classes):
            column = domain_column(labels, pool, job)
            if any(part.pool == pool for part in of_class(job, site, every)) and column and column not in columns:
                levels = ", ".join(columns)
                result.append(
                    Problem(
                        place="site",
                        path=f"classes[{i}].domain",
                        message=f"domains of classes in pool {pool} overlap without nesting",
                        expected=f"a domain that nests with those of the other classes ({levels})",
                        found=str(job.domain),
                        next_step="choose another domain, or another pool for one of the classes",
                        code="platform.domains_overlap",
                    )
                )
    return result


def _nest(nodes: pl.DataFrame, first: str, second: str) -> bool:
    """Whether each group of the finer of two columns is inside one group of the coarser."""
    pairs = nodes.select(pl.struct(first, second).n_unique()).item()
    return bool(pairs == max(nodes[first].n_unique(), nodes[second].n_unique()))
