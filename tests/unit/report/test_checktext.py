from __future__ import annotations

import pytest

from rackwright.report import checktext


@pytest.mark.parametrize(
    "text",
    [
        "# Title\n\nClaim.\n\n## What to do\n\nReset the GPU.\nThen look again.\n\n## Sources\n\nA paper.",
        "Claim.\n\n**What to do.** Reset the GPU.\nThen look again.\n\n**Sources.** A paper.",
    ],
)
def test_the_section_that_says_what_to_do(text):
    assert checktext.next_step(text) == "Reset the GPU.\nThen look again."


def test_a_text_without_that_section_has_no_next_step():
    assert checktext.next_step("# Claim\n\nNothing to do here.") == ""


def test_a_check_without_text_reads_as_empty():
    assert checktext.read_check_text("no.such_check") == ""


def test_the_body_has_no_title_and_loses_nothing_else():
    assert checktext.body("# gpu.x: Title\n\n## Claim\n\nWords.") == "## Claim\n\nWords."
    assert checktext.body("## Claim\n\nWords.") == "## Claim\n\nWords."
    assert checktext.body("") == ""
