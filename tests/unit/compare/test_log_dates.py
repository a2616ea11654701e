"""Entries of event logs by date: history is what was surely logged before."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rackwright.compare import bmc
from rackwright.model.evidence.bmc import LogEntry
from tests import build

READ_AT = "2026-11-21T09:00:00+00:00"


def _is_history(created: str, **record: Any) -> tuple[bool, str]:
    dates = bmc.log_dates(replace(build.expectation(), log_since="2026-10-01"), build.bmc(read_at=READ_AT, **record))
    assert dates is not None
    entry = LogEntry(identity="1", created=created, severity="Critical", message="PSU failed", resolved=False)
    return dates.is_history(entry), dates.doubt(entry)


@pytest.mark.parametrize(
    ("created", "expected"),
    [
        ("2026-09-30T23:59:59Z", (True, "")),
        ("2026-10-01T00:00:00Z", (False, "")),
        ("1970-01-01T00:00:09Z", (False, "before 2015")),
        ("2000-01-01T00:00:09Z", (False, "before 2015")),
        ("Pre-Init", (False, "no date")),
        ("", (False, "no date")),
        ("2026-11-22T11:00:00+14:00", (False, "")),
        ("2027-01-01T00:00:00Z", (False, "later than it was read")),
    ],
)
def test_an_entry_is_history_by_a_date_that_can_be_trusted(created: str, expected: tuple[bool, str]) -> None:
    assert _is_history(created) == expected


def test_while_the_clock_is_off_no_entry_is_history() -> None:
    assert _is_history("2026-09-30T23:59:59Z", clock_offset_seconds=-400.0) == (False, "by a clock that is off")
    assert _is_history("2026-09-30T23:59:59Z", clock_offset_seconds=-200.0) == (True, "")
