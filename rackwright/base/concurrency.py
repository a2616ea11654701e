"""How much is worked on at the same time: ``concurrency.yaml``."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from rackwright.base import yaml_text


@cache
def _numbers() -> dict[str, int]:
    numbers: dict[str, int] = yaml_text.load(Path(__file__).with_name("concurrency.yaml").read_text(encoding="utf-8"))
    return numbers


def at_once(work: str) -> int:
    """How many of `work` (a key of ``concurrency.yaml``, where its reason stands) go on at the same time. KeyError for another."""
    return _numbers()[work]
