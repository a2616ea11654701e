from __future__ import annotations

import re
import zlib

import pytest

from rackwright.model.gate import Decision, GroupDecision, Hold, Waiver
from rackwright.model.repair import Part, PartEvent
from rackwright.report import build, checktext, data, files, passport, pdf, render
from rackwright.report.pdf.style import plain
from tests import build as records
from tests.unit.report.conftest import tiny_handover

GPU = Part(serial="S3", kind="device", place="GPU 3", node="train-001")
BOX = Part(serial="B1", kind="bmc", place="", node="train-001")
GROUPS = (
    GroupDecision(
        gate="rack", scope="rack", group="r1", open=True, passed=2, covered=2, reason="2 of 2 covered nodes passed"
    ),
    GroupDecision(
        gate="handover",
        scope="site",
        group="tiny",
        open=False,
        passed=1,
        covered=3,
        reason="1 of 3 covered nodes passed",
    ),
)
WAIVERS = (
    Waiver(
        check="fabric.cabling",
        node="train-003",
        reason="cable ordered",
        by="A. Person",
        until="2026-11-26",
        ticket="OPS-7",
    ),
    Waiver(check="gpu.ecc", node="train-001", object="GPU 3", reason="<agreed>", by="B. Person", until="2026-11-01"),
)


def event(what: str, **change) -> PartEvent:
    return PartEvent(**(GPU.model_dump() | {"what": what, "at": "2026-11-18T10:00:00+00:00"} | change))


def full(**change):
    evidence = {name: records.node_evidence(name) for name in ("train-001", "train-002")}
    fields = {
        "evidence": evidence,
        "parts": {"train-001": [BOX, GPU]},
        "history": (
            event("failed", check="gpu.ecc"),
            event("repaired", action="reset", by="C. Person", node="train-009"),
        ),
        "groups": GROUPS,
        "waivers": WAIVERS,
    }
    return build.build_report(tiny_handover(**(fields | change)), checktext.read_check_text)


def test_a_passport_has_parts_versions_software_and_repairs() -> None:
    [node, *_] = full().nodes
    assert [(part.place, part.serial) for part in node.parts] == [("machine", "B1"), ("GPU 3", "S3")]
    versions = {version.name: version.value for version in node.versions}
    assert versions["bmc: bios version"] == "1.6.7"
    assert versions["device: vbios"] == "96.00.89.00.01 on all 8"
    assert any(package.name == "libnccl2" for package in node.software)
    assert [(repair.what, repair.part) for repair in node.repairs] == [
        ("failed", "GPU 3 S3"),
        ("reset", "GPU 3 S3 (then in train-009)"),
    ]


def test_different_versions_of_equal_parts_are_told_apart() -> None:
    devices = [records.device(index, vbios="old" if index == 3 else "new") for index in range(8)]
    evidence = records.node_evidence("train-001", records={records.Accelerators: records.accelerators(devices=devices)})
    facts = {version.name: version.value for version in passport.versions(evidence)}
    assert facts["device: vbios"] == "new on 7, old on 1"
    assert passport.versions(None) == []
    assert passport.software(None) == []


def test_the_summary_and_the_lines_of_gates_and_waivers() -> None:
    report = full()
    facts = {fact.name: fact.value for fact in report.summary.facts}
    assert facts["Gates"] == "1 of 2 open for racks, fabrics, pools and site"
    assert facts["Waived findings"] == "1"
    assert facts["Evidence taken"] == "2026-11-21 09:00 UTC"
    assert {amount.name: amount.value for amount in report.summary.capacity} == {
        "ACME G": "8 accelerators", "Accelerator memory": "0.6 TiB", "BF16, dense": "7.9 PFLOPS by data sheet",
    }  # fmt: skip
    assert [(waiver.node, waiver.days_left, waiver.used) for waiver in report.waivers] == [
        ("train-001", -20, False),
        ("train-003", 5, True),
    ]
    assert any("not handed over yet" in sentence for sentence in report.result.sentences)


def test_the_page_shows_them() -> None:
    text = render.render_page(full())
    assert "5 days left" in text
    assert "over, covers nothing" in text
    assert "&lt;agreed&gt;" in text
    assert 'id="passport-train-001"' in text
    assert "GPU 3 S3 (then in train-009)" in text


def test_a_hold_is_shown_with_its_words() -> None:
    hold = Hold(node="train-001", rule="repair.rejoin", says="GPU 3 must pass gpu.ecc again")
    decision = Decision(node="train-001", accepted=False, blocking=["repair.rejoin"], reason="r", holds=[hold])
    [node, *_] = full(decisions=(decision,)).nodes
    assert node.reason == "GPU 3 must pass gpu.ecc again."


def test_a_large_site_shows_first_the_passports_that_say_something(monkeypatch) -> None:
    monkeypatch.setattr(render, "MAX_PASSPORTS", 1)
    text = render.render_page(full())
    assert re.findall(r'id="passport-([^"]+)"', text) == ["train-001"]
    assert "Shown for 1 of 4 nodes" in text


def stream(document: bytes) -> bytes:
    """What the pages say: reportlab writes ASCII85 of deflated text."""
    import base64

    streams = re.findall(rb"stream\r?\n(.*?)endstream", document, re.DOTALL)
    return b"".join(
        zlib.decompress(
            base64.a85decode(stream_text.strip(), adobe=False)
            if not stream_text.strip().endswith(b"~>")
            else base64.a85decode(b"<~" + stream_text.strip(), adobe=True)
        )
        for stream_text in streams
    )


def test_the_pdf_is_the_same_every_time_and_says_what_matters() -> None:
    report = full()
    document = pdf.to_pdf(report)
    assert document.startswith(b"%PDF-")
    assert document == pdf.to_pdf(report)
    pages = stream(document)
    for words in (b"1 of 3 nodes", b"OPS-7", b"5 days left", b"GPU 3 S3", b"train-002"):
        assert all(word in pages for word in words.split()), words
    assert b"REHEARSAL" not in pages


def test_a_rehearsal_says_so_on_every_page_and_is_not_to_be_signed() -> None:
    rehearsed = {"injected": [], "found": [], "sentences": [], "as_injected": True}
    pages = stream(pdf.to_pdf(full(rehearsal=rehearsed)))
    assert b"REHEARSAL" in pages
    assert b"Signature" not in pages


@pytest.mark.parametrize(("text", "expected"), [("≥ 5 µm → b…", ">= 5 um -> b..."), ("naïve", "naïve"), ("日本", "??")])
def test_letters_that_the_fonts_lack(text: str, expected: str) -> None:
    assert plain(text) == expected


def test_hostile_text_does_not_break_the_pdf() -> None:
    hostile = "<b>&<script>]]>" + "x" * 3000
    waiver = WAIVERS[0].model_copy(update={"reason": hostile})
    assert pdf.to_pdf(full(waivers=(waiver,))).startswith(b"%PDF-")


def test_a_reason_longer_than_a_page_goes_on_on_the_next() -> None:
    waiver = WAIVERS[0].model_copy(update={"reason": "word " * 9000 + "END"})
    assert b"END" in stream(pdf.to_pdf(full(waivers=(waiver,))))


def test_all_four_files_are_written_and_made_again_from_the_data(tmp_path) -> None:
    report = full()
    files.write(report, tmp_path / "one")
    files.write(data.load_report(tmp_path / "one"), tmp_path / "two")
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert names == ["index.html", "junit.xml", "report.json", "report.pdf"]
    assert all((tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes() for name in names)
