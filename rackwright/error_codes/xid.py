"""What an error code of an accelerator means and what is to be done at once: the vendor's catalogues, as data.

The data stand in
``validators/xid``; each catalogue carries its version, which goes into every verdict.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from rackwright import compare
from rackwright.base import content, tables
from rackwright.error_codes import nvlink
from rackwright.error_codes.nvlink import Decoded, Source
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
    """What to do at once."""
    then: str
    """What to look into after that."""
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
def catalogues() -> Catalogues:
    """The catalogues; ProblemsError for rows that their records refuse."""
    kinds = {"xid": ("codes", XidCode), "sxid": ("classes", SwitchClass)}
    found, about = {}, {"nvlink5": nvlink.loaded()[0], "nvlink4": nvlink.registers()[0]}
    for name, (key, kind) in kinds.items():
        loaded = tables.load(content.folder("validators", "xid", f"{name}.yaml"), {"catalogue": Source, key: kind})
        found[name] = [row.record for row in loaded[key]]
        about[name] = loaded["catalogue"][0].record
    return Catalogues(
        xids={(one.code, generation): one for one in found["xid"] for generation in one.generations},
        switch={code: one.action for one in found["sxid"] for code in one.codes},
        sources={name: f"{one.name} {one.version}, {one.date}: {one.source}" for name, one in about.items()},
    )


def advice(text: str) -> tuple[bool, str] | None:
    """What Xid 154 says: whether something is to be done, and in which words; None when the text says neither."""
    found = ADVICE.search(text)
    return (found[1].lstrip("0") != "", found[2]) if found else None


def is_advice(expectation: Expectation, one: Xid) -> bool:
    """Whether `one` is the driver's advice (Xid 154)."""
    known = catalogues().xids.get((one.code, compare.accelerator(expectation).architecture))
    return known is not None and known.action == DRIVER


def link(text: str) -> str:
    """The NVLink that a text names (``link 8``), empty when it names none."""
    found = LINK.search(text)
    return f"link {int(found[1])}" if found else ""


def xid_action(expectation: Expectation, log: KernelLog, one: Xid) -> str:
    """What to do about `one`: the site's own row, else the catalogue, decoded for NVLink 5 and for 45; `unknown` without any."""
    own = compare.limit(expectation, "xid.action", code=str(one.code))
    if own is not None:
        return str(own.value)
    known = catalogues().xids.get((one.code, compare.accelerator(expectation).architecture))
    action = known.action if known else UNKNOWN
    if action in (NVLINK, NVLINK5):
        decoded = _decoded(expectation, one, action)
        action = decoded.action if decoded else (UNKNOWN if action == NVLINK5 else action)
    if action == ALONE:  # a cleanup after another error of the same accelerator says nothing of its own
        others = [other for other in log.xids if other.bus_id == one.bus_id and other.code != one.code]
        return "ignore" if others else "restart_fabric_manager"
    return _advised(log, one) if action == DRIVER else action


def switch_action(one: SwitchError) -> str:
    """What to do about an error of an NVSwitch; a code outside of the tables is judged by the driver's own word."""
    listed = catalogues().switch.get(one.code)
    return listed or ("reset_gpu" if one.fatal else "monitor")


def name(expectation: Expectation, one: Xid) -> str:
    """Bus address, code and name of an error, for people."""
    known = catalogues().xids.get((one.code, compare.accelerator(expectation).architecture))
    decoded = nvlink.decode(one.code, one.text) if known and known.action == NVLINK5 else None
    words = [
        known.name if known else "",
        decoded.unit if decoded else "",
        f"on {link(one.text)}" if link(one.text) else "",
    ]
    return " ".join([f"{one.bus_id} Xid {one.code}", *(word for word in words if word)])


def _decoded(expectation: Expectation, one: Xid, asked: str) -> Decoded | None:
    """What its bits say: of NVLink 5 by unit, of NVLink 4 by register, of older links nothing."""
    if asked == NVLINK5:
        return nvlink.decode(one.code, one.text)
    of_hopper = compare.accelerator(expectation).architecture == "hopper"
    return nvlink.decode_registers(one.text) if of_hopper else None


def _then(expectation: Expectation, one: Xid, asked: str) -> str:
    """What is looked into after the action; empty where the bits say nothing or no more than that."""
    decoded = _decoded(expectation, one, asked) if asked in (NVLINK, NVLINK5) else None
    return decoded.then if decoded and decoded.then != decoded.action else ""


def _advised(log: KernelLog, one: Xid) -> str:
    """The driver's last word on the accelerator; without one the error was contained to its application."""
    said = [advice(other.text) for other in log.xids if other.bus_id == one.bus_id and other.code != one.code]
    last = [known for known in said if known is not None][-1:]
    return "reset_gpu" if last and last[0][0] else "restart_app"


@dataclass(frozen=True)
class Graded:
    """One line of the log with what follows from it."""

    name: str
    action: str
    outcome: Outcome
    link: bool
    """Of an NVLink: checks of links look at it, and no other."""
    then: str = ""
    """What to look into after the action, where the error itself says so."""


def graded(expectation: Expectation, log: KernelLog) -> list[Graded]:
    """Every Xid of `log` but the driver's advice; an action without a row `xid.outcome` cannot be judged."""
    found = []
    for one in log.xids:
        known = catalogues().xids.get((one.code, compare.accelerator(expectation).architecture))
        asked = known.action if known else UNKNOWN
        if asked == DRIVER:
            continue
        action = xid_action(expectation, log, one)
        outcome = _outcome(expectation, action)
        then = _then(expectation, one, asked)
        found.append(Graded(name(expectation, one), action, outcome, asked in (NVLINK, NVLINK5), then))
    return found


def graded_switches(expectation: Expectation, log: KernelLog) -> list[Graded]:
    """Every SXid of `log`."""
    found = []
    for one in log.switch_errors:
        place = link(one.text)
        where = f"NVSwitch {one.switch} ({one.bus_id}) SXid {one.code}{f' on {place}' if place else ''}"
        action = switch_action(one)
        found.append(Graded(where, action, _outcome(expectation, action), link=True))
    return found


def _outcome(expectation: Expectation, action: str) -> Outcome:
    row = compare.limit(expectation, "xid.outcome", action=action)
    return Outcome(str(row.value)) if row is not None else Outcome.INCONCLUSIVE


def silent(expectation: Expectation, log: KernelLog, finding: Finding) -> Finding:
    """`finding`, but a pass only when the log reaches back to the start of the node: a cut log shows nothing by its silence."""
    if finding.outcome != Outcome.PASS or log.begins:
        return finding
    says = (
        f"{expectation.node.name}: the kernel log does not reach back to the start, so that nothing in it shows nothing"
    )
    return finding.model_copy(
        update={"outcome": Outcome.INCONCLUSIVE, "observed": "a log without its beginning", "says": says}
    )


def finding(expectation: Expectation, log: KernelLog, found: Sequence[Graded], *, what: str, catalogue: str) -> Finding:
    """What a check says of `found`: the worst outcome, and every line that is not good, each once with its count."""
    worst = compare.worst([one.outcome for one in found]) if found else Outcome.PASS
    bad = [one for one in found if one.outcome != Outcome.PASS]
    counts = Counter(f"{one.name}: {one.action}{f', then {one.then}' if one.then else ''}" for one in bad)
    observed = "; ".join(f"{line}{f' ({count} times)' if count > 1 else ''}" for line, count in counts.items())
    said = compare.finding(
        expectation,
        worst,
        what=what,
        observed=observed or "none",
        expected="none that asks for more than to be ignored",
        source=catalogues().sources[catalogue],
    )
    return silent(expectation, log, said)
