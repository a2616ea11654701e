"""Slurm's view of the fabric: ``topology.conf`` for the tree plugin, and for the block plugin where there are NVLink domains. That of tenants is
`slurm_accounts`.

SwitchName, Switches and Nodes are those of topology.conf(5), Slurm 22.05 and
later; BlockName and BlockSizes of Slurm 23.11 and later. BlockSizes is what every block has at least: the smallest domain.
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rackwright.export import export_request, slurm_accounts
from rackwright.export.export_request import ExportRequest
from rackwright.export.file import ExportFile
from rackwright.export.plain import Names, require
from rackwright.locality import groups
from rackwright.locality.groups import Locality
from rackwright.model.design import Design
from rackwright.model.hostlist import fold_hosts

NAMES = Names("Slurm", r"[A-Za-z0-9_.-]+", 64, "letters, digits, dots, hyphens and underscores")
"""Host lists have no quoting: commas, brackets and blanks end a name."""


def export(design: Design, request: ExportRequest) -> list[ExportFile]:
    """``topology.conf``, ``topology-block.conf`` where accelerators of several nodes share NVLink, and accounts where tenants share pools of Slurm."""
    pools = export_request.pools(design, request, "slurm")
    fabrics = export_request.fabrics(design, request) if request.fabric else groups.default_fabrics(design)
    places = groups.locality(design, pools, fabrics, "slurm")
    require(NAMES, [places.nodes[column] for column in ("node", *places.levels, "domain")])
    head = f"# Slurm topology of {design.site.site}, written by rackwright export. Change the site, not this file.\n"
    tree = [*_tree(places), *_nodes_on_no_fabric(places)]
    files = [ExportFile("topology.conf", (head, "\n".join(tree), "\n"), places.nodes.height)]
    if places.has_domains:
        blocks = list(_blocks(places))
        files.append(ExportFile("topology-block.conf", (head, "\n".join(blocks), "\n"), len(blocks)))
    if script := slurm_accounts.accounts(design):
        files.append(ExportFile("accounts.sh", (script,), len(design.site.tenants)))
        files.append(ExportFile("accounting.conf", (slurm_accounts.configuration(design),), 1))
    return files


def _tree(places: Locality) -> Iterator[str]:
    """Leaves with their nodes, then what joins them, tier by tier; every name on its own line before it is used."""
    levels = places.levels
    for at, name in enumerate(levels):
        child = "node" if at == 0 else levels[at - 1]
        word = "Nodes" if at == 0 else "Switches"
        yield f"# {name} groups"
        pairs = places.nodes.select(name, child).drop_nulls().unique(maintain_order=True)
        for group, children in _grouped_names(pairs, name, child):
            yield f"SwitchName={group} {word}={fold_hosts(children, suffixes=False)}"


def _nodes_on_no_fabric(places: Locality) -> Iterator[str]:
    """Nodes on no fabric are reported, because Slurm cannot place jobs on them together with others."""
    alone = places.nodes.filter(pl.col("leaf").is_null())["node"].to_list()
    if alone:
        yield f"# on none of these fabrics: {fold_hosts(alone, suffixes=False)}"


def _blocks(places: Locality) -> Iterator[str]:
    inside = places.nodes.drop_nulls("domain")
    blocks = _grouped_names(inside, "domain", "node")
    for domain, nodes in blocks:
        yield f"BlockName={domain} Nodes={fold_hosts(nodes, suffixes=False)}"
    yield f"BlockSizes={min(len(nodes) for _, nodes in blocks)}"
    outside = places.nodes.filter(pl.col("domain").is_null())["node"].to_list()
    if outside:
        yield f"# in no NVLink domain: {fold_hosts(outside, suffixes=False)}"


def _grouped_names(frame: pl.DataFrame, by: str, what: str) -> list[tuple[str, list[str]]]:
    grouped = frame.group_by(by, maintain_order=True).agg(pl.col(what))
    return list(grouped.iter_rows())
