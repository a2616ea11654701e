"""Plain words for expected and actual values, for people who do not know Python."""

from __future__ import annotations

import json
from typing import Any

from pydantic_core import ErrorDetails

from rackwright.model.texts import KINDS

_PLAIN = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "a mapping (key: value)",
    "model_type": "a mapping (key: value)",
    "finite_number": "a finite number",
    "string_too_short": "text that is not empty",
}
_BOUNDS = {
    "greater_than": ("gt", "a number above {}"),
    "greater_than_equal": ("ge", "a number of at least {}"),
    "less_than": ("lt", "a number below {}"),
    "less_than_equal": ("le", "a number of at most {}"),
    "too_short": ("min_length", "at least {} entry"),
    "literal_error": ("expected", "one of {}"),
    "string_pattern_mismatch": ("pattern", "text that matches {}"),
}


def expected_text(error: ErrorDetails) -> str:
    """The values that the field accepts, in words."""
    kind, context = error["type"], error.get("ctx", {})
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind == "string_pattern_mismatch" and context["pattern"] in KINDS:
        return KINDS[context["pattern"]].expected
    if kind in _BOUNDS:
        name, text = _BOUNDS[kind]
        return text.format(context.get(name))
    return error["msg"]


def show_value(value: Any) -> str:
    """The actual value, short, in the words of YAML."""
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "a mapping" if value else "an empty mapping"
    if isinstance(value, list):
        return f"a list of {len(value)}" if value else "an empty list"
    text = json.dumps(value, ensure_ascii=True, default=str)
    return text if len(text) <= 60 else text[:57] + "..."
