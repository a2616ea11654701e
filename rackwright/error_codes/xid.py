"""Meaning of the error codes of an accelerator and the action for each, from the vendor's catalogues in ``validators/xid``.

Each catalogue has a version, which goes into every verdict.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from rackwright import compare
from rackwright.base import content, tables
from rackwright.error_codes import cut_log, nvlink
from rackwright.error_codes.nvlink import Decoded, TableSource
from rackwright.model.base import Record
from rackwright.model.check import Expectation
from rackwright.model.evidence.kernel_log import KernelLog, SwitchError, Xid
from rackwright.model.verdict import Finding, Outcome

LINK = re.compile(r"\blink (\d+)", re.IGNORECASE)
ADVICE = re.compile(r"GPU recovery action changed from 0x[0-9a-f]+ \(.*?\) to 0x([0-9a-f]+) \((.*)\)", re.IGNORECASE)
NVLINK, NVLINK5, DRIVER, ALONE, UNKNOWN = (
    "workflow_nvlink",
    "workflow_nvlink5",
    "driver_advice",
    "workflow_xid_45",
    "unknown",
)


class XidCode(Record):
    """One code."""

    code: int
    name: str
    action: str
    """Immediate action."""
    then: str
    """Investigation after the action."""
    generations: list[str]
    """Architectures whose drivers print it."""


class SwitchClass(Record):
    """NVSwitch codes with one action."""

    action: str
    codes: list[int]


@dataclass(frozen=True)
class Catalogues:
    """All of ``validators/xid``."""

    xids: dict[tuple[int, str], XidCode]
    """By code and generation."""
    switch: dict[int, str]
    sources: dict[str, str]
    """File -> one line that names catalogue, version and source."""


@cache
def load_catalogues() -> Catalogues:
    """The catalogues. Raises ProblemsError for rows that do not fit their records."""
    kinds = {"xid": ("codes", XidCode), "sxid": ("classes", SwitchClass)}
    records, origins = {}, {"nvlink5": nvlink.load_nvlink5()[0], "nvlink4": nvlink.load_nvlink4()[0]}
    for name, (key, kind) in kinds.items():
        loaded = tables.load_tables(
            content.folder("validators", "xid", f"{name}.yaml"), {"catalogue": TableSource, key: kind}
        )
        records[name] = [row.record for row in loaded[key]]
        origins[name] = loaded["catalogue"][0].record
    return Catalogues(
        xids={(row.code, generation): row for row in records["xid"] for generation in row.generations},
        switch={code: row.action for row in records["sxid"] for code in row.codes},
        sources={
            name: f"{source.name} {source.version}, {source.date}: {source.source}" for name, source in origins.items()
        },
    )


def requested_action(text: str) -> tuple[bool, str] | None:
    """Whether Xid 154 requests an action, and which one in words; None for text that cannot be parsed."""
    match = ADVICE.search(text)
    return (match[1].lstrip("0") != "", match[2]) if match else None


def is_advice(expectation: Expectation, error: Xid) -> bool:
    """Whether `error` is the driver's advice (Xid 154)."""
    entry = load_catalogues().xids.get((error.code, compare.accelerator(expectation).architecture))
    return entry is not None and entry.action == DRIVER


def nvlink_in_text(text: str) -> str:
    """The NVLink in a text (``link 8``); empty without one."""
    match = LINK.search(text)
    return f"link {int(match[1])}" if match else ""


def xid_action(expectation: Expectation, log: KernelLog, error: Xid) -> str:
    """The action for `error`: the site's limit, else the catalogue, decoded for NVLink 5 and for Xid 45; `unknown` without either."""
    site_row = compare.limit(expectation, "xid.action", code=str(error.code))
    if site_row is not None:
        return str(site_row.value)
    entry = load_catalogues().xids.get((error.code, compare.accelerator(expectation).architecture))
    action = entry.action if entry else UNKNOWN
    if action in (NVLINK, NVLINK5):
        decoded = _decoded(expectation, error, action)
        action = decoded.action if decoded else (UNKNOWN if action == NVLINK5 else action)
    if action == ALONE:  # a cleanup after another error of the same accelerator says nothing of its own
        companions = [
            companion for companion in log.xids if companion.bus_id == error.bus_id and companion.code != error.code
        ]
        return "ignore" if companions else "restart_fabric_manager"
    return _advised(log, error) if action == DRIVER else action


def switch_action(error: SwitchError) -> str:
    """The action for an error of an NVSwitch; for a code outside of the tables the driver's own severity decides."""
    listed = load_catalogues().switch.get(error.code)
    return listed or ("reset_gpu" if error.fatal else "monitor")


def name(expectation: Expectation, error: Xid) -> str:
    """Bus address, code and name of an error, for messages."""
    entry = load_catalogues().xids.get((error.code, compare.accelerator(expectation).architecture))
    decoded = nvlink.decode_error(error.code, error.text) if entry and entry.action == NVLINK5 else None
    words = [
        entry.name if entry else "",
        decoded.unit if decoded else "",
        f"on {nvlink_in_text(error.text)}" if nvlink_in_text(error.text) else "",
    ]
    return " ".join([f"{error.bus_id} Xid {error.code}", *(word for word in words if word)])


def _decoded(expectation: Expectation, error: Xid, action: str) -> Decoded | None:
    """The decoded bits: of NVLink 5 by unit, of NVLink 4 by register; None for older links."""
    if action == NVLINK5:
        return nvlink.decode_error(error.code, error.text)
    of_hopper = compare.accelerator(expectation).architecture == "hopper"
    return nvlink.decode_registers(error.text) if of_hopper else None


def _follow_up_action(expectation: Expectation, error: Xid, action: str) -> str:
    """The investigation after the action; empty where the bits add nothing to it."""
    decoded = _decoded(expectation, error, action) if action in (NVLINK, NVLINK5) else None
    return decoded.then if decoded and decoded.then != decoded.action else ""


def _advised(log: KernelLog, error: Xid) -> str:
    """The action from the driver's last advice for the accelerator; without advice the error was contained to its application."""
    advices = [
        requested_action(companion.text)
        for companion in log.xids
        if companion.bus_id == error.bus_id and companion.code != error.code
    ]
    last = [text for text in advices if text is not None][-1:]
    return "reset_gpu" if last and last[0][0] else "restart_app"


@dataclass(frozen=True)
class Graded:
    """One line of the log with its action and outcome."""

    name: str
    action: str
    outcome: Outcome
    link: bool
    """Whether it is an error of an NVLink; only checks of links use it."""
    then: str = ""
    """Investigation after the action, where the error itself names one."""


def graded_errors(expectation: Expectation, log: KernelLog) -> list[Graded]:
    """Every Xid of `log` except the driver's advice; an action without a limit `xid.outcome` is inconclusive."""
    lines = []
    for error in log.xids:
        entry = load_catalogues().xids.get((error.code, compare.accelerator(expectation).architecture))
        listed_action = entry.action if entry else UNKNOWN
        if listed_action == DRIVER:
            continue
        action = xid_action(expectation, log, error)
        outcome = _outcome(expectation, action)
        then = _follow_up_action(expectation, error, listed_action)
        lines.append(Graded(name(expectation, error), action, outcome, listed_action in (NVLINK, NVLINK5), then))
    return lines


def graded_switches(expectation: Expectation, log: KernelLog) -> list[Graded]:
    """Every SXid of `log`."""
    lines = []
    for error in log.switch_errors:
        place = nvlink_in_text(error.text)
        where = f"NVSwitch {error.switch} ({error.bus_id}) SXid {error.code}{f' on {place}' if place else ''}"
        action = switch_action(error)
        lines.append(Graded(where, action, _outcome(expectation, action), link=True))
    return lines


def _outcome(expectation: Expectation, action: str) -> Outcome:
    row = compare.limit(expectation, "xid.outcome", action=action)
    return Outcome(str(row.value)) if row is not None else Outcome.INCONCLUSIVE


def xid_finding(
    expectation: Expectation, log: KernelLog, lines: Sequence[Graded], *, what: str, catalogue: str
) -> Finding:
    """The finding for `lines`: the worst outcome, and every line that does not pass, once with its count."""
    worst = compare.worst([line.outcome for line in lines]) if lines else Outcome.PASS
    bad = [line for line in lines if line.outcome != Outcome.PASS]
    counts = Counter(f"{line.name}: {line.action}{f', then {line.then}' if line.then else ''}" for line in bad)
    observed = "; ".join(f"{line}{f' ({count} times)' if count > 1 else ''}" for line, count in counts.items())
    verdict = compare.finding(
        expectation,
        worst,
        what=what,
        observed=observed or "none",
        expected="none that asks for more than to be ignored",
        source=load_catalogues().sources[catalogue],
    )
    return cut_log.inconclusive_if_cut(expectation, log, verdict, "sxid" if catalogue == "sxid" else "xid")
