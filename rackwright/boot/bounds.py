"""How long signed URLs are good for, read from ``bounds.yaml``."""

from __future__ import annotations

from pathlib import Path

from rackwright.base import yaml_text
from rackwright.model.base import Positive, Record


class BootBounds(Record):
    """Everything of ``bounds.yaml``; times in seconds."""

    boot_seconds: Positive
    renew_seconds: Positive
    install_seconds: Positive
    home_seconds: Positive
    report_bytes: Positive
    attempts: Positive
    boots: Positive


def load_bounds() -> BootBounds:
    """``bounds.yaml`` as its record."""
    rows = yaml_text.load(Path(__file__).with_name("bounds.yaml").read_text(encoding="utf-8"))["bounds"]
    return BootBounds.model_validate({row["name"]: row["value"] for row in rows})
