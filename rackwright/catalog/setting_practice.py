"""Which settings beside BIOS attributes BMCs have over Redfish, by dialect, read from ``setting_practice.yaml``."""

from __future__ import annotations

from functools import cache
from typing import Literal

from rackwright.catalog.datafile import read_record
from rackwright.model.base import Record
from rackwright.model.resource import WipePolicy
from rackwright.model.sku import Source


class DialectSettings(Record):
    """What BMCs of one dialect have."""

    secure_boot: Literal["", "UserMode", "DeployedMode", "SetupMode"] = ""
    """``SecureBootMode`` with which machines come (``SetupMode``: without a platform key); empty: Secure Boot is not shown."""
    erase: list[WipePolicy] = []
    """How drives can be erased; empty: no tree of one offers it."""
    power_cap: bool = False
    """Whether a cap can be set that does not switch the machine off."""


class SettingPractice(Record):
    """Everything of ``setting_practice.yaml``."""

    dialects: dict[str, DialectSettings]
    """Without an entry: none of them."""
    sources: list[Source]


@cache
def load() -> SettingPractice:
    """``setting_practice.yaml`` as its record."""
    return read_record("setting_practice", SettingPractice)


def of_dialect(name: str) -> DialectSettings:
    """What BMCs of the dialect `name` have."""
    return load().dialects.get(name, DialectSettings())
