"""The report as data: result of `build`, content of ``report.json``, and input of all pages.

It is independent of the handover, so a report can be written again, byte for byte, from ``report.json`` alone, without
design, evidence or clock. `SCHEMA` changes whenever a field is renamed, removed or changes its meaning.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final, Literal

from pydantic import ConfigDict

from rackwright.model.base import Record
from rackwright.model.platform_record import PlatformRecord
from rackwright.model.verdict import Outcome
from rackwright.report.cards import Evidence as Evidence
from rackwright.report.cards import Fact, GateLine, PartLine, RepairLine, Summary, WaiverLine
from rackwright.report.cards import RehearsalCard as RehearsalCard
from rackwright.report.cards import StepLine as StepLine
from rackwright.report.drawing_data.pictures import Pictures
from rackwright.report.isolation_cards import IsolationCard

SCHEMA: Final = "rackwright.report/1"


class NodeStatus(StrEnum):
    """The run's result for one device."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    UNDECIDED = "undecided"
    """Covered by the run, but the gate made no decision (control servers, or a run that stopped early)."""
    NOT_COVERED = "not_covered"
    UNJUDGED = "unjudged"
    """Switches and power: not judged on their own; their cables are, at the node."""


class ReportRun(Record):
    """The run and its site."""

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


class RackDevice(Record):
    """One device in a rack."""

    device: str
    kind: str
    role: str
    sku: str
    unit: int
    """Lowest rack unit, counted from 1 at the bottom."""
    rack_units: int
    status: NodeStatus
    says: str
    """One sentence, displayed when the reader points at it."""


class ReportRack(Record):
    """One rack, front side."""

    rack: str
    hall: str
    row: int
    position: int
    kind: str
    rack_units: int
    peak_kw: float
    weight_kg: float
    devices: list[RackDevice]


class RackGroup(Record):
    """Fabric end points drawn together: the machines of one rack."""

    name: str
    nodes: dict[str, NodeStatus]


class CableBundle(Record):
    """All planned cables between two ends; an end is a `Group` name or a switch."""

    a: str
    b: str
    cables: int
    gbps: int
    """Of each cable, per direction."""


class WrongCable(Record):
    """A cable observed elsewhere than planned; the `found` fields are empty if no link was observed."""

    cable: str
    node: str
    port: str
    planned_device: str
    planned_port: str
    found_device: str
    found_port: str


class ReportFabric(Record):
    """One InfiniBand fabric as planned, with the observed differences."""

    name: str
    topology: str
    switch: str
    tiers: dict[str, list[str]]
    """Switches by tier, lowest tier first: ``leaf``, ``spine``, ``core``."""
    groups: list[RackGroup]
    groups_left_out: int
    """Racks of a large fabric without covered machines, which are not drawn."""
    bundles: list[CableBundle]
    wrong: list[WrongCable]


class CheckText(Record):
    """A check that was applied, with the text that explains it."""

    id: str
    domain: str
    title: str
    text: str
    """Markdown; empty if the check has none."""
    next_step: str
    """The "what to do" section of the text, as Markdown."""


class Judged(Record):
    """One verdict on one node (not strict, as in `model.verdict`: outcomes may be strings)."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)

    check: str
    title: str
    outcome: Outcome
    observed: str
    expected: str
    source: str
    says: str
    brief: str
    """The sentence without node and source, and with only the first reading."""
    value: float | None = None
    """The number that decided, as in `model.verdict.Finding`."""
    unit: str = ""
    limit: float | None = None
    key: dict[str, str] = {}
    evidence: list[str]
    blocking: bool
    """True if this verdict refuses the node."""
    waived: bool


class ReportNode(Record):
    """One covered machine."""

    node: str
    role: str
    sku: str
    rack: str
    unit: int
    accelerators: int
    status: NodeStatus
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

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)

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
    run: ReportRun
    result: Result
    totals: dict[str, Any]
    """Design totals, as ``rackwright design --format json`` prints them."""
    racks: list[ReportRack]
    racks_left_out: int
    """Racks of a large site without covered machines, which are not drawn."""
    fabrics: list[ReportFabric]
    checks: list[CheckText]
    nodes: list[ReportNode]
    elsewhere: list[Rule]
    """Verdicts on objects other than covered machines."""
    design_rules: list[Rule]
    steps: list[StepLine]
    jobs: list[str]
    not_tested: list[str]
    evidence: list[Evidence]
    rehearsal: RehearsalCard | None
    summary: Summary | None = None
    gates: list[GateLine] = []
    waivers: list[WaiverLine] = []
    isolation: list[IsolationCard] = []
    platform: PlatformRecord | None = None
    design: Pictures | None = None
    """Drawings of the design; None in older reports."""
