"""What a driver asks of a switch: commands, one after the other, over a connection that somebody else opened."""

from __future__ import annotations

from typing import Protocol

from rackwright.base.errors import OutsideError


class CommandRefusedError(OutsideError):
    """The switch took the connection and refused a command."""

    def __init__(self, command: str, printed: str) -> None:
        lines = [line.strip() for line in printed.splitlines() if line.strip()]
        self.reason = lines[-1].rstrip(".") if lines else "it printed nothing"
        super().__init__(f"`{command}` was refused: {self.reason}")


class LostReachError(OutsideError):
    """The connection is gone, or there is none to be had."""


class SwitchSession(Protocol):
    """An open connection to a switch."""

    def run(self, command: str, text: str = "") -> str:
        """What `command` prints, with `text` as its input. CommandRefusedError for a refusal; LostReachError without an answer."""
        ...

    def close(self) -> None:
        """End the connection."""
        ...
