"""A node that answers garbage costs its own answers, and never the run that they are kept in."""

import json
from datetime import UTC, datetime

import pytest

from rackwright.collect import Store, wire
from rackwright.collect.output import Ask, Output
from rackwright.collect.store import runs

ASK = Ask("smi", 5.0, ("smi",))
SAID = {"id": "smi", "rc": 0, "stdout": "", "stderr": "", "seconds": 1.0, "error": None, "tool": "smi", "clock": "now"}
NAN, ENDLESS = float("nan"), float("inf")


def line(**fields) -> bytes:
    return json.dumps({**SAID, **fields}).encode()


@pytest.mark.parametrize(
    "fields",
    [{"rc": "0"}, {"rc": 1.5}, {"rc": True}, {"rc": 2**70}, {"rc": [1]}, {"rc": NAN}, {"seconds": NAN}, {"seconds": ENDLESS},
     {"seconds": "soon"}, {"seconds": 10**400}, {"tool": {"a": 1}}, {"tool": NAN}, {"clock": [1]}, {"error": NAN}, {"error": ["no"]},
     {"stdout": "?"}, {"stdout": 5}, {"id": []}],
)  # fmt: skip
def test_what_the_probe_cannot_have_said_is_refused(fields):
    with pytest.raises(ValueError, match="a line that it cannot have sent"):
        wire.answer("train-001", [ASK], line(**fields))


def test_a_line_that_nests_for_ever_is_refused():
    with pytest.raises(ValueError, match="a line that it cannot have sent"):
        wire.answer("train-001", [ASK], b'{"id":' + b"[" * 200_000)


@pytest.mark.parametrize("fields", [{}, {"rc": None}, {"rc": -9}, {"tool": None, "clock": None}, {"error": "timeout"}])
def test_what_it_can_say_is_kept_and_read_again(fields, tmp_path):
    store = Store(tmp_path)
    with store.begin({"owed": {"train-001": ["smi"]}}, datetime(2026, 11, 21, tzinfo=UTC)) as recording:
        recording.add(wire.answer("train-001", [ASK], line(**fields)))
    assert runs.run(store, recording.run).answers["rc"].to_list() == [fields.get("rc", 0)]


def test_half_a_character_is_shown_as_what_it_is(tmp_path):
    store = Store(tmp_path)
    with store.begin({"owed": {"train-001": ["smi"]}}, datetime(2026, 11, 21, tzinfo=UTC)) as recording:
        recording.add(Output("train-001", "smi", "", error="it said \ud800 and é", tool="\udc80", clock="\ud800"))
    assert runs.run(store, recording.run).answers["error"].to_list() == ["it said \\ud800 and é"]


def test_an_error_of_megabytes_is_cut():
    assert len(wire.answer("train-001", [ASK], line(error="x" * 1_000_000, tool="y" * 9_999)).error) < 3_000
