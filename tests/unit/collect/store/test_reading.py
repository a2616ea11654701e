"""What one answer says, whatever its bytes are."""

import json

import pytest

from rackwright.collect.collector import Collector
from rackwright.collect.output import MOST_LETTERS, Output
from rackwright.collect.store.reading import reading
from rackwright.model.evidence.host import Clock

COLLECTOR = Collector(produces=Clock, parse=json.loads, seconds=1.0, roles=())


@pytest.mark.parametrize(
    ("printed", "read"),
    [(rb"half \ud800", "half \ufffd"), (rb"\uDC00\ud800\uD83D", "\ufffd" * 3), (rb"\ud83d\ude00", "\N{GRINNING FACE}"),
     (rb"a path \\ud800", "a path \\ud800"), (rb"\\\udfff!", "\\\ufffd!"), (rb"plain \u00e9", "plain é"), (b"\xed\xa0\x80", "\ufffd" * 3)],
)  # fmt: skip
def test_what_nothing_can_write_down_is_an_unreadable_character(printed, read):
    text = reading(Output("train-001", "clock", "", b'"' + printed + b'"', rc=0), "", COLLECTOR).value
    assert text == read
    assert text.encode().decode() == read


@pytest.mark.parametrize("printed", [{"stderr": b"no " * 100_000}, {"stdout": b"x" * 300_000, "stderr": b""}])
def test_a_tool_that_fails_with_many_words_is_told_in_few(printed):
    failed = reading(Output("train-001", "clock", "", rc=1, **printed), "", COLLECTOR)
    assert "ended with status 1: " in failed.error
    assert len(failed.error) <= MOST_LETTERS + 1
