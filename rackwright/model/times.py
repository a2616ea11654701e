"""Times as ISO texts and as `datetime`."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Annotated

from pydantic import AfterValidator


def parse_time(text: str) -> datetime:
    """Parse an ISO time (UTC if it has no zone). Raises ValueError if malformed."""
    time = datetime.fromisoformat(text)
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def _iso_time(text: str) -> str:
    parse_time(text)
    return text


IsoTime = Annotated[str, AfterValidator(_iso_time)]
"""A field of a record: an ISO time, kept as it is written."""


def parse_day(text: str) -> date | None:
    """The day of an ISO time; None for an empty text. Raises ValueError if malformed."""
    return parse_time(text).date() if text else None


def second_text(time: datetime) -> str:
    """`time` to the second, as it is stored: ``2026-11-21T09:00:00+00:00``."""
    return time.isoformat(timespec="seconds")


def minute_text(time: datetime) -> str:
    """`time` to the minute, as sentences print it: ``2026-11-21T09:00``."""
    return f"{time:%Y-%m-%dT%H:%M}"
