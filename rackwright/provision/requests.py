"""What a run of ``rackwright up`` may do to machines beside bringing them to their declared state: who is named for which act."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from rackwright.base.name_list import listed_names


@dataclass(frozen=True)
class MachineRequests:
    """Names of machines by explicit request; nothing of it is done to any other, and nothing of it lasts beyond the run."""

    unprotected: Collection[str] = ()
    """May leave the stack, or be another machine from now on."""
    restarted: Collection[str] = ()
    """Are restarted where BIOS attributes or Secure Boot wait for it."""
    installed: Collection[str] = ()
    """Their systems are waited for."""
    flashed: Collection[str] = ()
    """Get the firmware images of the site, and are restarted where those need it."""
    wiped: Collection[str] = ()
    """Their drives are erased."""
    wipe_request: str = ""
    """Under which the drives are erased, a new one for each wipe."""

    def settings(self) -> dict[str, str]:
        """As settings of the stack, by name."""
        return {
            "unprotected": ",".join(self.unprotected),
            "restarted": ",".join(self.restarted),
            "installed": ",".join(self.installed),
            "flashed": ",".join(self.flashed),
            "wiped": ",".join(self.wiped),
            "wipe_request": self.wipe_request if self.wiped else "",
        }

    @classmethod
    def of_settings(cls, setting: Callable[[str], str]) -> MachineRequests:
        """Those in the settings of a stack; `setting`: value by name, empty where it is not set."""
        return cls(
            listed_names(setting("unprotected")), listed_names(setting("restarted")), listed_names(setting("installed")),
            listed_names(setting("flashed")), listed_names(setting("wiped")), setting("wipe_request"),
        )  # fmt: skip

    def erase(self, node: str) -> str:
        """The request by which the drives of `node` are erased; empty where it is not wiped."""
        return self.wipe_request if node in self.wiped else ""


NO_REQUESTS = MachineRequests()
