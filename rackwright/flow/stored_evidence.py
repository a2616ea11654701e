"""Finds the stored evidence to judge, and the time from which its age counts: the start of ``judge``, ``gate`` and
pytest.

Without a run the newest reading of every node and collector counts, unless it is too old compared with the newest run;
no clock is read, so that judging again later gives the same result.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rackwright import collect, judge
from rackwright.base.errors import ProblemsError, UsageError
from rackwright.collect.store.closing_entries import REPAIR, is_for
from rackwright.collect.store.run_header import read_header
from rackwright.model.check import Limits, NodeEvidence
from rackwright.model.design import Design


@dataclass(frozen=True)
class Recalled:
    """Evidence from a store."""

    nodes: Mapping[str, NodeEvidence]
    runs: tuple[str, ...]
    """Ids of the runs that were read, oldest first."""
    as_of: datetime
    store: collect.Store

    def heads(self) -> dict[str, str]:
        """Run -> last hash of its chain."""
        return {run: self.store.head(run) for run in self.runs}


def recall(
    folder: Path, design: Design, limits: Limits, *, run: str | None = None, as_of: datetime | None = None
) -> Recalled:
    """The evidence below `folder`, of `run` or of all runs; ages count from `as_of`, by default from the newest run.

    UsageError without evidence, for evidence of another site, or for an `as_of` before the newest run; ProblemsError if
    it was changed.
    """
    store, runs, moment = find_evidence(folder, design, run=run, as_of=as_of)
    collectors = collect.library(design.roots)
    if run:
        evidence = collect.load(store, run, collectors)
    else:
        evidence = collect.load_merged(
            store,
            oldest=judge.oldest_counting(design.site, limits, moment) if runs else None,
            collectors=collectors,
        )
    refuse_strangers(folder, design, evidence)
    return Recalled(evidence, runs, moment, store)


def find_evidence(
    folder: Path, design: Design, *, run: str | None = None, as_of: datetime | None = None
) -> tuple[collect.Store, tuple[str, ...], datetime]:
    """The store, its runs, and the time from which ages count. Raises as `recall`, before anything is read."""
    if not folder.is_dir():
        site = design.site.site
        raise UsageError(
            f"{folder} holds no evidence: run `rackwright collect` for site {site} first, or name --evidence"
        )
    store = collect.Store(folder)
    runs = (run,) if run else tuple(store.runs())
    observed = [run_id for run_id in runs if not is_for(store, run_id, REPAIR)] or runs
    newest = max((_run_time(store, run_id, design) for run_id in observed), default=datetime.min.replace(tzinfo=UTC))
    if problems := [*collect.unlinked(store, runs)]:
        raise ProblemsError(problems)
    moment = as_of or newest
    if moment < newest:
        raise UsageError(
            f"{moment.isoformat()} lies before the newest run ({newest.isoformat()}): judge one run with --run"
        )
    return store, runs, moment


def refuse_strangers(folder: Path, design: Design, nodes: Iterable[str]) -> None:
    """UsageError if the site lacks some of `nodes`, whose evidence is in `folder`."""
    strangers = sorted(set(nodes) - {node.name for node in design.nodes()} - judge.plant_names(design))
    if strangers:
        site = design.site.site
        raise UsageError(
            f"{folder} holds evidence of {', '.join(strangers)}, which site {site} does not have: "
            "give another folder with --work, or this site another name"
        )


def refuse_other_sites(folder: Path, site: str) -> None:
    """UsageError if `folder` has a run of another site than `site`, before machines are touched.

    Only the beginnings of runs are read.
    """
    store = collect.Store(folder)
    for run in store.runs() if folder.is_dir() else ():
        _refuse_another_site(store, run, site, "give another folder with --work, or this site another name")


def _refuse_another_site(store: collect.Store, run: str, site: str, step: str) -> None:
    """UsageError if `run` is of another site: runs of two sites may have nodes with the same names, so each run names
    its site.
    """
    named = store.first(run).get("site", site)
    if named != site:
        raise UsageError(f"{store.path(run)} is evidence of site {named}, not of {site}: {step}")


def _run_time(store: collect.Store, run: str, design: Design) -> datetime:
    """Start of a run."""
    first = store.first(run)
    if "taken" not in first:
        raise ProblemsError(collect.verify_run(store, run))
    _refuse_another_site(store, run, design.site.site, "name --evidence")
    return datetime.fromisoformat(read_header(store, run, first).taken)
