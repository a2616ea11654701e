"""How far the boot of a system is.

Schema: https://redfish.dmtf.org/schemas/v1/ComputerSystem.v1_23_0.json (BootProgress, BootProgressTypes)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rackwright.redfish.resources.text_members import word

OEM = "OEM"


class BootProgress(NamedTuple):
    """The last stage that was reached."""

    stage: str
    """One of BootProgressTypes."""
    own_word: str = ""
    """What the maker calls it, where `stage` is ``OEM``."""
    since: str = ""
    """When it was reached, by the clock of the BMC, which may be wrong; empty where it does not say."""

    @classmethod
    def of(cls, system: Mapping[str, Any]) -> BootProgress | None:
        """The record in the document of a ComputerSystem; None where its BMC has none."""
        progress = system.get("BootProgress")
        stage = word(progress, "LastState") if isinstance(progress, Mapping) else ""
        if not stage or not isinstance(progress, Mapping):
            return None
        return cls(stage, word(progress, "OemLastState") if stage == OEM else "", word(progress, "LastStateTime"))

    @property
    def words(self) -> str:
        """The stage, of the maker's ones with his word for it."""
        return f"{self.stage} ({self.own_word})" if self.own_word else self.stage
