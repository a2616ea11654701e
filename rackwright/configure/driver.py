"""What each system of switches can be required to do, and what a change of its configuration is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from rackwright.configure.required_switch import SwitchIdentity
from rackwright.configure.session import SwitchSession


@dataclass(frozen=True)
class SwitchCommand:
    """A command for a switch, with what it reads."""

    words: str
    text: str = ""


@dataclass(frozen=True)
class SwitchChange:
    """What brings a switch to its configuration."""

    lines: tuple[str, ...] = ()
    """What goes (``- ``) and comes (``+ ``); none where it is as designed."""
    stage: tuple[SwitchCommand, ...] = ()
    """What prepares the change, without an effect."""
    left_alone: tuple[str, ...] = ()
    """Settings that the design does not speak of, which stay."""
    obstacle: str = ""
    """Why it cannot be applied from here, with the next step."""


class SwitchDriver(Protocol):
    """How one system reads, applies, confirms and takes back."""

    def identity(self, session: SwitchSession) -> SwitchIdentity:
        """What the switch reports about itself."""
        ...

    def running(self, session: SwitchSession) -> dict[str, str]:
        """The running configuration: text by name of the file."""
        ...

    def declarable(self, running: Mapping[str, str]) -> dict[str, str]:
        """The `running` configuration as the files that would declare it, without what no design declares."""
        ...

    def compare(self, session: SwitchSession, running: Mapping[str, str], files: Mapping[str, str]) -> SwitchChange:
        """What makes `files` of `running`; the switch stays as it is."""
        ...

    def busy(self, session: SwitchSession) -> str:
        """What somebody else has begun on the switch and not ended; empty for nothing."""
        ...

    def apply(self, session: SwitchSession, change: SwitchChange, seconds: int) -> None:
        """Stage `change` and apply it. The switch takes it back by itself after `seconds` without `confirm`."""
        ...

    def withdraw(self, session: SwitchSession) -> None:
        """Drop what is staged and not applied."""
        ...

    def waits(self, session: SwitchSession) -> bool:
        """Whether the applied change still waits for `confirm`: False once the switch took it back."""
        ...

    def confirm(self, session: SwitchSession) -> None:
        """Accept the applied change, also for the next start."""
        ...
