"""Texts of a document that may be missing, null or of another type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def word(document: Mapping[str, Any], name: str) -> str:
    """The text under `name` without spaces around it; empty for everything that is no text, so that a missing word is never a wrong one."""
    value = document.get(name)
    return value.strip() if isinstance(value, str) else ""
