"""Hashes of everything that affects a decision: those of `rackwright.judge.basis`, and of the further input of the
gate.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from rackwright import attest, judge
from rackwright.base import content
from rackwright.flow.sealed_history import SealedHistory
from rackwright.judge.limits import LimitTable
from rackwright.model.design import Design
from rackwright.spec import assembly

SUBJECTS = {
    "site_sha256": "the site file or a part of it",
    "design_sha256": "the design",
    "limits_sha256": "the limits",
    "site_folder_sha256": "the folder of the site",
    "checks_sha256": "the checks",
    "collectors_sha256": "the collectors",
    "catalogues_sha256": "the catalogues of error codes and of kernel lines",
    "gates_sha256": "the gates",
    "waivers_sha256": "the waivers",
    "isolation_sha256": "the results of isolation",
    "repairs_sha256": "the repairs",
    "package_sha256": "the program",
}
"""Name of a hash -> its subject, in words."""
DECIDING = ("*.py", "*.yaml", "*.j2", "*.html", "*.css")
"""Files of the package and its templates that verdicts, decisions and pages depend on."""


def judgement_basis(
    design: Design, site: Path, sealed: SealedHistory, limits: LimitTable, heads: Mapping[str, str]
) -> dict[str, Any]:
    """The basis of a judgement of the site file `site`; `heads` are the last hashes of the runs of the evidence,
    `sealed` their closing entries.
    """
    waivers = design.site.acceptance.waivers
    return {
        **judge.basis(design, assembly.sha256(design.site, site), limits, heads),
        "gates_sha256": gates_sha256(),
        "waivers_sha256": attest.digest((site.parent / waivers).read_bytes()) if waivers else "",
        **sealed.hashes(),
        "package_sha256": package_sha256(),
    }


def gates_sha256() -> str:
    """Hash of the shipped gates; those of a site are in the hash of its folder."""
    return attest.digest(content.folder("validators", "gates.yaml").read_bytes())


@cache
def package_sha256() -> str:
    """Hash of the program, its catalog and its templates: two builds of one version differ in it."""
    package = Path(__file__).resolve().parent.parent
    return content.sha256_of(
        (f"{folder.name}/{path.relative_to(folder).as_posix()}", path)
        for folder in (package, content.folder("templates"))
        for path in sorted(path for pattern in DECIDING for path in folder.rglob(pattern))
        if "_content" not in path.relative_to(folder).parts
    )
