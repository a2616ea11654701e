"""Where nodes reach the machine that releases their orders."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PullListening:
    """An address of this machine that nodes reach."""

    host: str
    port: int

    @property
    def url(self) -> str:
        """What nodes call."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"https://{host}:{self.port}"
