"""How firmware of a server is updated over Redfish, by the dialect of its BMC, read from ``firmware_practice.yaml``."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache
from typing import Literal

from rackwright.catalog.datafile import read_record
from rackwright.model.base import Record
from rackwright.model.resource import Activation, PowerCycle
from rackwright.model.sku import Source


class FirmwareComponents(Record):
    """Components whose names match a pattern."""

    names: str
    """Shell pattern, as a site names them."""
    activate: Activation
    """What brings a new version into force."""
    target: str = ""
    """What ``Targets`` of an update says for it; empty: its entry in the inventory."""
    form: str = ""
    """Regular expression of its versions, where its maker has one; empty: any."""
    example: str
    """A version as it was published."""


class DialectFirmware(Record):
    """Components that BMCs of one dialect can update, and how."""

    targets: Literal["inventory", "none"] = "inventory"
    """``none``: the image itself says what it is for, and ``Targets`` is left empty."""
    fetches: list[Literal["http", "https"]] = []
    """Schemes by which its BMCs fetch images from the mirror; empty: images are pushed to them, or fetched by either."""
    components: list[FirmwareComponents]
    parameters: dict[str, dict[str, dict[str, dict[str, bool]]]] = {}
    """By component: what ``Oem`` of the update parameters says."""
    power_cycle: PowerCycle | None = None
    """None: no action of its BMC takes the power of the whole machine away."""

    def component(self, name: str) -> FirmwareComponents | None:
        """The first entry that `name` matches; None where the servers have no such component."""
        return next((entry for entry in self.components if fnmatchcase(name, entry.names)), None)


class FirmwarePractice(Record):
    """Everything of ``firmware_practice.yaml``."""

    dialects: dict[str, DialectFirmware]
    """Without an entry: no inventory of one is published, and every name is taken."""
    sources: list[Source]


@cache
def load() -> FirmwarePractice:
    """``firmware_practice.yaml`` as its record."""
    return read_record("firmware_practice", FirmwarePractice)
