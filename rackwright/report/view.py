"""The report as data: what `build` makes of a handover, what ``report.json`` holds, and all that the pages are drawn from.

It is cut off from the handover so that a report can be written again, byte for byte, from ``report.json`` alone: no
design, evidence or clock is needed for it. `SCHEMA` changes whenever a field is renamed, removed or changes its meaning.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final, Literal

from pydantic import ConfigDict

from rackwright.model.base import Record
from rackwright.model.verdict import Outcome
from rackwright.report.cards import Evidence as Evidence
from rackwright.report.cards import Fact, GateLine, PartLine, RepairLine, Summary, WaiverLine
from rackwright.report.cards import Rehearsal as Rehearsal
from rackwright.report.cards import Step as Step
from rackwright.report.drawing_data.pictures import Pictures
from rackwright.report.isolation import IsolationCard

SCHEMA: Final = "rackwright.report/1"


class Status(StrEnum):
    """What the run means for one device."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    UNDECIDED = "undecided"
    """Covered by the run, but the gate made no decision (control servers, or a run that stopped early)."""
    NOT_COVERED = "not_covered"
    UNJUDGED = "unjudged"
    """Switches and power: not judged on their own; their cables are, at the node."""


class Run(Record):
    """Which run of which site."""

    id: str
    created: str
    """ISO time in UTC."""
    version: str
    """Version of rackwright."""
    site: str
    region: str


class Result(Record):
    """The result in words and counts; the counts are of nodes."""

    headline: str
    sentences: list[str]
    accepted: int
    refused: int
    undecided: int
    covered: int
    designed: int


class Device(Record):
    """One thing in a rack."""

    device: str
    kind: str
    role: str
    sku: str
    unit: int
    """Lowest rack unit, counted from 1 at the bottom."""
    rack_units: int
    status: Status
    says: str
    """One sentence for the reader who points at it."""


class Rack(Record):
    """One rack, front side."""

    rack: str
    hall: str
    row: int
    position: int
    kind: str
    rack_units: int
    peak_kw: float
    weight_kg: float
    devices: list[Device]


class Group(Record):
    """Fabric end points that are drawn together: the machines of one rack."""

    name: str
    nodes: dict[str, Status]


class Bundle(Record):
    """All planned cables between two ends; an end is a `Group` name or a switch."""

    a: str
    b: str
    cables: int
    gbps: int
    """Of each cable, per direction."""


class WrongCable(Record):
    """A cable that was seen in another place than planned; `found` is empty when no link was seen."""

    cable: str
    node: str
    port: str
    planned_device: str
    planned_port: str
    found_device: str
    found_port: str


class Fabric(Record):
    """One InfiniBand fabric, as planned and with what was seen to differ."""

    name: str
    topology: str
    switch: str
    tiers: dict[str, list[str]]
    """Switches by tier, lowest tier first: ``leaf``, ``spine``, ``core``."""
    groups: list[Group]
    groups_left_out: int
    """Racks of a large fabric that hold nothing this run covered, and are not drawn."""
    bundles: list[Bundle]
    wrong: list[WrongCable]


class CheckText(Record):
    """A check that was applied, with the text that explains it."""

    id: str
    domain: str
    title: str
    text: str
    """Markdown; empty when the check has none."""
    next_step: str
    """The part of the text that says what to do, as Markdown."""


class Judged(Record):
    """One verdict on one node (strictness is off as in `model.verdict`: outcomes come in as words)."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False, use_attribute_docstrings=True)

    check: str
    title: str
    outcome: Outcome
    observed: str
    expected: str
    source: str
    says: str
    brief: str
    """The sentence without node and source, and with the first of many readings alone."""
    value: float | None = None
    """The number that decided, as in `model.verdict.Finding`."""
    unit: str = ""
    limit: float | None = None
    key: dict[str, str] = {}
    evidence: list[str]
    blocking: bool
    """True when this verdict refuses the node."""
    waived: bool


class Node(Record):
    """One covered machine."""

    node: str
    role: str
    sku: str
    rack: str
    unit: int
    accelerators: int
    status: Status
    reason: str
    """Why it was refused, one sentence; empty otherwise."""
    verdicts: list[Judged]
    parts: list[PartLine] = []
    versions: list[Fact] = []
    software: list[Fact] = []
    repairs: list[RepairLine] = []
    taken: str = ""
    """ISO time of its evidence."""


class Rule(Record):
    """One verdict of the design rules."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False, use_attribute_docstrings=True)

    check: str
    target: str
    title: str
    outcome: Outcome
    observed: str
    expected: str
    source: str
    says: str
    next_step: str


class Report(Record):
    """The whole report."""

    schema_version: Literal["rackwright.report/1"]
    run: Run
    result: Result
    totals: dict[str, Any]
    """Design totals, as ``rackwright design --format json`` prints them."""
    racks: list[Rack]
    racks_left_out: int
    """Racks of a large site that hold nothing this run covered, and are not drawn."""
    fabrics: list[Fabric]
    checks: list[CheckText]
    nodes: list[Node]
    elsewhere: list[Rule]
    """Verdicts on things that are no covered machine."""
    design_rules: list[Rule]
    steps: list[Step]
    jobs: list[str]
    not_tested: list[str]
    evidence: list[Evidence]
    rehearsal: Rehearsal | None
    summary: Summary | None = None
    gates: list[GateLine] = []
    waivers: list[WaiverLine] = []
    isolation: list[IsolationCard] = []
    design: Pictures | None = None
    """What is drawn of the design; none in reports that were written before there were such drawings."""
