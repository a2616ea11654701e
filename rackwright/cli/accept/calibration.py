"""``rackwright judge SITE --learn FILE --calibrate SERVER``: limits that the nodes of the site make where nobody has published any."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rackwright.base.errors import ProblemsError, UsageError

if TYPE_CHECKING:
    from rackwright.flow.stored_evidence import Recalled
    from rackwright.judge import LimitTable
    from rackwright.model.calibration import Calibration
    from rackwright.model.check import Limit
    from rackwright.model.design import Design
    from rackwright.model.verdict import Verdict
    from rackwright.spec import LoadedSite


def calibrated_rows(
    args: argparse.Namespace,
    loaded: LoadedSite,
    design: Design,
    table: LimitTable,
    recalled: Recalled,
    verdicts: Sequence[Verdict],
) -> list[Limit]:
    """The rows for ``--calibrate``. Raises UsageError for a server without declared terms, and ProblemsError for readings that do not meet them."""
    from rackwright import collect, judge

    at, terms = _terms(args.calibrate, design)
    collectors = collect.library(design.roots)
    runs = {run: collect.load(recalled.store, run, collectors) for run in recalled.runs}
    day, checks = recalled.as_of.date(), judge.load_checks(design.roots)
    try:
        return judge.calibrate(design, terms, runs, checks, table, verdicts, day)
    except ProblemsError as error:
        path = f"acceptance.calibrations[{at}]"
        raise loaded.located([replace(problem, path=path) for problem in error.problems]) from error


def _terms(server: str, design: Design) -> tuple[int, Calibration]:
    declared = {entry.server: (at, entry) for at, entry in enumerate(design.site.acceptance.calibrations)}
    if server not in declared:
        servers = f"it declares {', '.join(declared)}" if declared else "it declares none"
        raise UsageError(
            f"--calibrate {server}: the site declares no calibration of this server ({servers}): write its terms under acceptance.calibrations"
        )
    return declared[server]


def written(rows: Sequence[Limit], file: str, design: Design) -> list[str]:
    """Lines about the written file: number of limits, nodes left out, the next step."""
    left_out = sorted({name for row in rows if row.origin for name in row.origin.left_out})
    folder = design.site.site_folder or "a site folder"
    return [
        f"{len(rows)} calibrated limits in {file}: no value is published for them; put the file into validators/limits of {folder}",
        *([f"left out, because they differ from most or failed a check: {', '.join(left_out)}"] if left_out else []),
    ]
