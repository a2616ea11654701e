"""Stages of a boot in words, with what to do about a machine that stays in one: ``boot_stages.yaml``."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from rackwright.base import yaml_text


@cache
def load() -> dict[str, str]:
    """Meaning and next step by stage (BootProgressTypes)."""
    stages: dict[str, str] = yaml_text.load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
    return stages


def advice(stage: str) -> str:
    """What the `stage` means, and the next step; of one that is new, those of a maker's own stage."""
    return load().get(stage, load()["OEM"])
