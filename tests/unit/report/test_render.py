from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from rackwright.model.verdict import Outcome
from rackwright.report import build, render

VOID = {"meta", "link", "br", "hr", "img", "input", "col", "wbr", "rect", "line"}
HOSTILE = """<script>alert("x")</script>'"><img src=http://evil.example/x onerror=y>"""


class Page(HTMLParser):
    """Tags must balance; ids, links and everything that would be loaded are kept."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.handlers: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag not in VOID:
            self.open.append(tag)
        self._note(attrs)

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)
        self._note(attrs)

    def _note(self, attrs):
        for key, value in attrs:
            if key == "id":
                self.ids.append(value)
            if key in {"src", "href", "data", "action", "poster", "srcset", "xlink:href"}:
                self.links.append(value)
            if key.startswith("on"):
                self.handlers.append(key)

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def page(handover):
    return render.render_page(
        build.build_report(handover, lambda check: f"# {check}\n\n## What to do\n\nLook **well**.")
    )


def test_the_page_is_well_formed_and_needs_nothing_else(handover):
    text = page(handover)
    parsed = Page(text)
    assert len(parsed.ids) == len(set(parsed.ids))
    assert {link for link in parsed.links if not link.startswith("#")} == set()
    assert {link.removeprefix("#") for link in parsed.links} <= set(parsed.ids)
    assert not parsed.tags & {"script", "link", "img", "iframe", "object", "embed", "base"}
    assert parsed.handlers == []
    assert re.findall(r"@import|url\((?!#)", text) == []


def test_every_node_check_and_section_is_on_the_page(handover):
    text = Page(page(handover)).text
    for word in [
        *handover.nodes,
        *{v.check for v in handover.verdicts},
        "clock.offset",
        *handover.jobs,
        *handover.not_tested,
    ]:
        assert word in text
    for section in ("Result", "Rack elevations", "Verdicts", "Refused nodes", "What was not tested", "Signatures"):
        assert section in text


def test_hostile_words_stay_words(make, verdict):
    handover = make(
        verdicts=(verdict("train-002", "gpu.ecc", Outcome.FAIL, HOSTILE),),
        jobs=(HOSTILE,),
        not_tested=(HOSTILE,),
        run_id=HOSTILE,
        rehearsal={"injected": [HOSTILE], "found": [HOSTILE], "sentences": [HOSTILE], "as_injected": True},
    )
    text = render.render_page(
        build.build_report(handover, lambda _check: HOSTILE + f"\n\n`{HOSTILE}`\n\n[{HOSTILE}](javascript:x)")
    )
    parsed = Page(text)
    assert not parsed.tags & {"script", "img"}
    assert parsed.handlers == []
    assert all(link.startswith("#") for link in parsed.links)
    assert HOSTILE in parsed.text


def test_the_same_report_gives_the_same_page(make):
    assert page(make()) == page(make())


def test_a_rehearsal_is_marked_and_cannot_be_signed(make):
    rehearsed = {
        "injected": [],
        "found": [],
        "sentences": ["Nothing was injected and nothing was found."],
        "as_injected": True,
    }
    text = Page(page(make(rehearsal=rehearsed))).text
    assert text.count("REHEARSAL") >= 2
    assert "not to be signed" in text
    assert "Accepted by" not in text


def test_a_real_handover_has_no_word_of_a_rehearsal_and_can_be_signed(handover):
    text = page(handover)
    assert "Accepted by" in text
    assert 'class="rehearsal"' not in text
    assert 'class="band"' not in text


def test_an_empty_run_still_makes_a_page(make):
    empty = make(
        nodes=(), verdicts=(), decisions=(), design_verdicts=(), steps=(), jobs=(), not_tested=(), seen_links={}
    )
    assert "No node was refused" in Page(page(empty)).text


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.04, "0.0 s"), (9.94, "9.9 s"), (12.4, "12 s"), (59.7, "1 min 00 s"), (125, "2 min 05 s")]
)
def test_durations_for_people(seconds, words):
    assert render.duration(seconds) == words


@pytest.mark.parametrize(
    ("value", "words"), [(1234, "1,234"), (1234.56, "1,234.6"), (8.0, "8"), (None, "–"), ("x", "x")]
)
def test_numbers_for_people(value, words):
    assert render.thousands(value) == words
