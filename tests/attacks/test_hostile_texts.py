"""Text that is code somewhere, in every string of every record and of every document of a node or BMC: no output carries it as it is."""

from __future__ import annotations

import json
import typing
import xml.etree.ElementTree as ET
from contextlib import suppress
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from pydantic import BaseModel

from rackwright import design, judge, spec
from rackwright.base.csv_text import without_formulas
from rackwright.base.terminal_text import EscapingStream
from rackwright.cli.accept import judge_text
from rackwright.collect import collector
from rackwright.export.file import table
from rackwright.gate import load_gates
from rackwright.gate.reason import WORST_FIRST, refused_reason
from rackwright.model.check import NodeEvidence
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.records import Records
from rackwright.model.repair import Part, PartEvent
from rackwright.model.verdict import Verdict
from rackwright.report import files, render_report
from rackwright.twin import tools
from rackwright.twin.campaign import Stage
from rackwright.twin.campaign.play import collect_evidence
from tests.rotation import of_this_run
from tests.unit.report.conftest import tiny_handover

ROOT = Path(__file__).parents[2]
SITES = ("inventories/h100-pod", "inventories/mi300x-pod", "inventories/gb200-pod", "inventories/ascend-pod")
PAYLOAD = "=cmd|' /C'!A0\x1b[2J\x9b1m\u202e\n`id` $(id) {{7*7}} \"'> <script>alert(1)</script><img src=x onerror=alert(2)> ../../etc &"
CONTROLS = ("\x1b", "\x9b", "\u202e")
MARKUP = ("script", "img")


@cache
def stage(site: str) -> Stage:
    loaded = spec.load(ROOT / site / "site.yaml")
    expanded = design.expand(loaded.site, loaded.catalog)
    nodes = tuple(node.name for node in expanded.nodes("accelerator"))[:2]
    return Stage(expanded, nodes, "2026-11-21T09:00:00+00:00", passes=True)


@cache
def healthy(site: str) -> dict[str, NodeEvidence]:
    return collect_evidence(stage(site), stage(site).healthy)


def hostile(value: Any, spoiled: list[str], path: str = "") -> Any:
    """`value` with the payload behind each of its strings; those of a fixed set of words stay."""
    if isinstance(value, BaseModel):
        fields = type(value).model_fields
        changed = {
            name: hostile(getattr(value, name), spoiled, f"{path}.{name}")
            for name in fields
            if not _is_choice(fields[name].annotation)
        }
        return value.model_copy(update=changed)
    if isinstance(value, str):
        spoiled.append(path)
        return value + PAYLOAD
    if isinstance(value, dict):
        return {hostile(key, spoiled, path): hostile(content, spoiled, path) for key, content in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return type(value)(hostile(content, spoiled, path) for content in value)
    return value


def _is_choice(annotation: Any) -> bool:
    kinds = [annotation, *typing.get_args(annotation)]
    return any(typing.get_origin(kind) is typing.Literal for kind in kinds)


def judged(site: str, evidence: dict[str, NodeEvidence]) -> list[Verdict]:
    """The verdicts of all checks of nodes."""
    checks, expected = judge.node_checks(stage(site).checks), stage(site).expected
    part = judge.Engine(checks, passes=True).judge(expected, evidence)
    return list(judge.join(expected, [part], checks, passes=True).verdicts)


class Elements(HTMLParser):
    """Names of elements that carry the payload, and attributes that a browser runs."""

    def __init__(self) -> None:
        super().__init__()
        self.foreign: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if values.get("src") == "x" or any(name.startswith("on") and "alert" in (text or "") for name, text in attrs):
            self.foreign.append(tag)

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script" and data.startswith("alert("):
            self.foreign.append("script")


def assert_harmless(verdicts: list[Verdict]) -> None:
    """Nothing of the payload is alive on a terminal, in a page, in XML or in JSON."""
    printed = StringIO()
    EscapingStream(printed).write("\n".join(judge_text.summary(verdicts)))
    assert not [mark for mark in CONTROLS if mark in printed.getvalue()]
    last = load_gates()["handover"]
    for verdict in (verdict for verdict in verdicts if verdict.outcome in WORST_FIRST):  # words of scontrol
        reason = refused_reason(last, [verdict], [])
        assert (reason.isprintable(), reason.isascii(), '"' in reason, len(reason) <= 200) == (True, True, False, True)
    nodes = ("train-001", "train-002")
    on_page = tuple(verdict.model_copy(update={"target": nodes[number % 2]}) for number, verdict in enumerate(verdicts))
    part = Part(serial=f"S{PAYLOAD}", kind=f"k{PAYLOAD}", place=f"DIMM{PAYLOAD}", node="train-001")
    event = PartEvent(**part.model_dump(), what="failed", at="2026-11-21T08:00:00+00:00", check="gpu.ecc", says=PAYLOAD)
    report = tiny_handover(verdicts=on_page, parts={"train-001": [part]}, history=(event,), jobs=(PAYLOAD,))
    written = render_report(report)
    page = written[files.PAGE].decode()
    parser = Elements()
    parser.feed(page)
    assert parser.foreign == []
    assert not [mark for mark in CONTROLS if mark in page]
    assert ET.fromstring(written["junit.xml"]) is not None
    assert json.loads(written["report.json"])
    assert written["report.pdf"].startswith(b"%PDF")


@pytest.mark.parametrize("site", of_this_run(SITES, 2))
def test_texts_of_records_are_shown_and_do_nothing(site: str) -> None:
    spoiled: list[str] = []
    evidence = {
        name: replace(
            unit,
            records=Records({kind: hostile(unit.records[kind], spoiled, kind.__name__) for kind in unit.records}),
            errors={name_: f"{text}{PAYLOAD}" for name_, text in unit.errors.items()},
        )
        for name, unit in healthy(site).items()
    }
    assert len(set(spoiled)) > 100
    verdicts = judged(site, evidence)
    assert any(PAYLOAD[:8] in verdict.says for verdict in verdicts)
    assert_harmless(verdicts)


def member_names(document: Any) -> set[str]:
    """Names of the members of Redfish documents that hold texts; addresses and types of documents are no texts."""
    if isinstance(document, list):
        return set().union(*map(member_names, document))
    if not isinstance(document, dict):
        return set()
    texts = {name for name, value in document.items() if isinstance(value, str) and "@odata" not in name}
    return texts.union(*map(member_names, document.values()))


def with_payload(document: Any, name: str) -> Any:
    """`document` with the payload behind each member that is called `name`."""
    if isinstance(document, list):
        return [with_payload(entry, name) for entry in document]
    if not isinstance(document, dict):
        return document
    return {
        key: value + PAYLOAD if key == name and isinstance(value, str) else with_payload(value, name)
        for key, value in document.items()
    }


@pytest.mark.parametrize("site", of_this_run(SITES, 2))
def test_texts_of_a_bmc_are_shown_and_do_nothing(site: str) -> None:
    """Each member in turn: the documents are read, or refused by the reader's own error."""
    played = stage(site)
    requests = played.plans[False]
    node = played.nodes[0]
    [output] = (
        output for output in tools.plan_outputs(played.design, played.healthy, requests, load=False)
        if (output.node, output.collector) == (node, "bmc")
    )  # fmt: skip
    documents = json.loads(output.stdout)
    names = sorted(member_names(documents))
    assert len(names) > 30
    parse = collector.library(played.design.roots)["bmc"].parse
    verdicts: list[Verdict] = []
    bmc_checks = {name: check for name, check in judge.node_checks(played.checks).items() if check.reads is BmcEvidence}
    for name in names:
        with suppress(collector.ParseError):
            record = parse(json.dumps(with_payload(documents, name)))
            unit = healthy(site)[node]
            evidence = {
                **healthy(site),
                node: replace(unit, records=Records({**dict(unit.records), BmcEvidence: record})),
            }
            part = judge.Engine(bmc_checks, passes=False).judge(played.expected, evidence)
            verdicts += judge.join(played.expected, [part], bmc_checks, passes=False).verdicts
    assert any(PAYLOAD[:8] in verdict.says for verdict in verdicts)
    assert_harmless(verdicts)


def test_a_text_in_a_table_for_spreadsheets_is_no_formula() -> None:
    """Numbers stay numbers, also those below zero."""
    texts = [PAYLOAD, "+cmd", "-2+3+cmd|' /C calc'!A0", "@SUM(1)", "\t=1", "-5", "+5.5", "mlx5_0", None]
    frame = pl.DataFrame({"text": texts, "number": range(len(texts))})
    written = without_formulas(frame)["text"].to_list()
    assert written == [f"'{text}" for text in texts[:5]] + texts[5:]
    [part] = table("cables", frame).parts
    assert not isinstance(part, str)
    exported = pl.read_csv(table("cables", frame).text().encode())["text"].to_list()
    assert exported == written
