"""Which fields of an object are known."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from rackwright.base import yaml_text

FILE = Path(__file__).with_name("fields.yaml")


@cache
def load_fields() -> dict[str, Any]:
    """By kind: its fields."""
    kinds: dict[str, Any] = yaml_text.load(FILE.read_text(encoding="utf-8"))["kinds"]
    return kinds


def unknown(kind: str, body: Any) -> list[str]:
    """Paths that `kind` does not have; none for kinds that are not checked."""
    return list(_unknown_fields(load_fields()[kind], body, "")) if kind in load_fields() else []


def _unknown_fields(shape: Any, value: Any, path: str) -> Iterator[str]:
    if isinstance(value, dict) and isinstance(shape, dict):
        for name, inner in value.items():
            below = f"{path}.{name}".lstrip(".")
            if name not in shape and "*" not in shape:
                yield below
            else:
                yield from _unknown_fields(shape.get(name, shape.get("*")), inner, below)
    elif isinstance(value, list) and isinstance(shape, dict) and "[]" in shape:
        for number, inner in enumerate(value):
            yield from _unknown_fields(shape["[]"], inner, f"{path}[{number}]")
    elif isinstance(value, dict | list) and value:
        yield path
