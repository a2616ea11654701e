"""What a judgement rests on, as hashes, so that the same hashes mean the same verdicts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import polars as pl

from rackwright import __version__
from rackwright.base import content
from rackwright.judge.limits import LimitTable
from rackwright.model.base import Record
from rackwright.model.design import Design


def basis(design: Design, site_sha256: str, limits: LimitTable, evidence: Mapping[str, str]) -> dict[str, Any]:
    """Program, content, site, design, limits and evidence; `evidence` holds the last hash of the chain of every run.

    A site with a folder of its own has ``site_folder_sha256``: of every file in it, roles included.
    """
    site_files = content.site_files(design.roots)
    return {
        "rackwright": __version__,
        "checks_sha256": folder_sha256("checks", design.roots),
        "collectors_sha256": folder_sha256("collectors", design.roots),
        "catalogues_sha256": catalogues_sha256(),
        "limits_sha256": limits_sha256(limits),
        "site_sha256": site_sha256,
        "design_sha256": design_sha256(design),
        "evidence": dict(evidence),
        **({"site_folder_sha256": content.sha256_of(site_files.items())} if site_files else {}),
    }


def limits_sha256(table: LimitTable) -> str:
    """Of every metric and row, whatever file and order they stand in."""
    records: dict[str, list[Record]] = {
        "metrics": [row.record for row in table.metrics],
        "limits": [row.record for row in table.rows],
    }
    texts = {
        key: sorted(json.dumps(record.model_dump(), sort_keys=True) for record in some) for key, some in records.items()
    }
    return _sha256(json.dumps(texts, sort_keys=True).encode())


def folder_sha256(folder: str, roots: content.Roots | None = None) -> str:
    """Of every Python and data file of one kind of content (``checks``, ``collectors``, ``xid``), by name."""
    files = content.files(roots or content.shipped(), "validators", folder, pattern="*")
    return content.sha256_of(
        (name, path) for name, path in sorted(files.items()) if path.suffix in (".py", ".yaml", ".json", ".csv")
    )


CATALOGUES = ("xid", "kernel")
"""Folders of ``validators`` that tell what lines of the kernel log mean."""


def catalogues_sha256() -> str:
    """Of the catalogues of error codes and of kernel lines."""
    return _sha256("\n".join(f"{name} {folder_sha256(name)}" for name in CATALOGUES).encode())


SHARING: Any = {
    "tenants": True,
    "classes": True,
    "policies": True,
    "environments": True,
    "control": {"kubernetes": {"version": True, "network": True, "addons": True}},
}
"""Fields of the site that decide how its capacity is shared, and about no machine: a quota that changes makes no verdict another one."""


def design_sha256(design: Design) -> str:
    """Of the site with every default filled in but `SHARING`, and of every table that follows from it."""
    parts = {"site": _sha256(design.site.model_dump_json(exclude=SHARING).encode())}
    for name, table in vars(design).items():
        if isinstance(table, pl.DataFrame):
            flat = table.with_columns(pl.col(pl.List(pl.String)).list.join(" ")) if table.width else table
            parts[name] = _sha256(flat.write_csv().encode())
    return _sha256(json.dumps(parts, sort_keys=True).encode())


def _sha256(content_of: bytes) -> str:
    return hashlib.sha256(content_of).hexdigest()
