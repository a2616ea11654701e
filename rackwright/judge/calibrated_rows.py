"""Calibrated limits that count: those that the site still stands for, by its declaration, its software and the day."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

from rackwright.base.errors import Problem
from rackwright.base.tables import TableRow
from rackwright.judge.limits import LimitTable, load
from rackwright.model.check import CALIBRATED, Limit, NodeEvidence
from rackwright.model.design import Design
from rackwright.model.times import parse_day

VERSIONS = (
    "kernel", "driver", "nccl", "doca", "amdgpu", "rocm", "ascend_driver", "ascend_firmware", "cann", "vendor_driver", "vendor_toolkit",
)  # fmt: skip
"""Fields of a bill whose software decides how fast an accelerator is."""


def versions(design: Design, pool: str) -> dict[str, str]:
    """The versions in the bill of `pool` that a calibrated limit ends with."""
    bill = design.site.software.bill(pool)
    return {name: getattr(bill, name) for name in VERSIONS if getattr(bill, name)}


def newest(evidence: Iterable[NodeEvidence]) -> date | None:
    """The day of the newest reading; None without one."""
    return max((day for stored in evidence if (day := parse_day(stored.taken)) is not None), default=None)


def in_force(design: Design, limits: LimitTable, day: date | None) -> LimitTable:
    """`limits` without the calibrated rows that the site does not stand for on `day`; `LimitTable.lapsed` says why."""
    why = {id(row): _lapse_reason(design, row, day) for row in limits.rows if row.record.kind == CALIBRATED}
    if not any(why.values()):
        return limits
    rows = tuple(row for row in limits.rows if not why.get(id(row)))
    lapsed = {row.record.match["server"]: why[id(row)] for row in limits.rows if why.get(id(row))}
    return LimitTable(limits.metrics, rows, lapsed)


def limits_in_force(design: Design, day: date | None) -> LimitTable:
    """The limits of the site of `design`, without calibrated rows that it does not stand for on `day`. Raises as `judge.limits.load`."""
    return in_force(design, load(roots=design.roots), day)


def lapsed_rows(design: Design, limits: LimitTable, day: date) -> list[Problem]:
    """Every calibrated row that the site does not stand for on `day`."""
    return [
        Problem(
            row.place, f"{row.record.metric}.origin", f"does not count: {why}", "what acceptance.calibrations asks for", row.record.source,
            "calibrate again, and put the new rows in the place of these", "judge.calibration",
        )
        for row in limits.rows if row.record.kind == CALIBRATED and (why := _lapse_reason(design, row, day))
    ]  # fmt: skip


def _lapse_reason(design: Design, row: TableRow[Limit], day: date | None) -> str:
    """Why a calibrated row does not count; empty where it does."""
    limit, origin = row.record, row.record.origin
    server = limit.match.get("server", "")
    terms = next((entry for entry in design.site.acceptance.calibrations if entry.server == server), None)
    day_of_rows = parse_day(limit.date)
    if origin is None or limit.samples is None or day_of_rows is None:
        return "its origin is not whole"
    if origin.site != design.site.site:
        return f"it was made on site {origin.site}"
    if terms is None:
        return f"the site declares no calibration of {server}"
    bills = [versions(design, node.pool) for node in design.nodes() if node.server.sku == server]
    changed = sorted({name for bill in bills for name in {*bill, *origin.software} if bill.get(name) != origin.software.get(name)})  # fmt: skip
    reasons = {
        f"{limit.samples} nodes made it, and {terms.nodes} are declared": limit.samples < terms.nodes,
        f"{origin.runs} runs made it, and {terms.runs} are declared": origin.runs < terms.runs,
        f"its nodes scatter by {origin.scatter:.1%}, and {terms.scatter:.1%} are declared": origin.scatter > terms.scatter,
        f"{origin.signed_by} signed it, and not {terms.signed_by}": origin.signed_by != terms.signed_by,
        f"the software changed since ({', '.join(changed)})": bool(changed),
        f"it is of {limit.date}, and holds for {terms.days} days": day is not None and (day - day_of_rows).days > terms.days,
    }  # fmt: skip
    return next((reason for reason, holds in reasons.items() if holds), "")


def calibrations(limits: LimitTable) -> list[dict[str, Any]]:
    """What a signed statement says of every calibrated limit."""
    return [
        {
            "metric": row.record.metric,
            "match": row.record.match,
            "date": row.record.date,
            "nodes": row.record.samples,
            **row.record.origin.model_dump(),
        }
        for row in limits.rows
        if row.record.kind == CALIBRATED and row.record.origin is not None
    ]
