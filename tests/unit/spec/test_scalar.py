from __future__ import annotations

import pytest

from rackwright.spec.scalar import RefusedScalarError, parse_scalar


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("31", 31), ("-4", -4), ("0x1F", 31), ("0o37", 31), ("031", 31), ("1.33", 1.33), (".5", 0.5), ("1e3", 1000.0), ("1e-12", 1e-12), ("0.0", 0.0),
        ("true", True), ("yes", "yes"), ("no", "no"), ("on", "on"), ("12:30", "12:30"), ("1_000", "1_000"),
        ("2.30.4", "2.30.4"), ("13.0", 13.0), ("~", None), ("", None), ("null", None), ("2026-01-01", "2026-01-01"),
    ],
)  # fmt: skip
def test_core_schema(text, value):
    assert parse_scalar(text) == value
    assert type(parse_scalar(text)) is type(value)


@pytest.mark.parametrize(
    "text", [".inf", "-.INF", ".nan", "1e400", "1e15", "1e-300", "-1e-13", "9" * 16, "-" + "9" * 5000]
)
def test_numbers_that_no_machine_has(text):
    with pytest.raises(RefusedScalarError):
        parse_scalar(text)
