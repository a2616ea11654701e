"""Names in one text, which commas part: options of commands and settings of stacks."""

from __future__ import annotations


def listed_names(text: str | None) -> tuple[str, ...]:
    """The names in `text` in their order, without the spaces around them and without empty ones."""
    return tuple(name.strip() for name in (text or "").split(",") if name.strip())
