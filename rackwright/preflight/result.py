"""What a probe reports, and which stage of a bring-up needs what it probes."""

from __future__ import annotations

import time
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Literal

Outcome = Literal["pass", "advice", "fail"]
Stage = Literal["up", "onboard", "accept"]
STAGES: tuple[Stage, ...] = ("up", "onboard", "accept")
"""In the order in which a site goes through them."""


class ProbeError(Exception):
    """What a probe needs is not there; the text says what it met and the next step."""


@dataclass(frozen=True)
class ProbeReading:
    """What a probe that ended well read; with `advice`, something that a person should know of."""

    text: str
    advice: bool = False


@dataclass(frozen=True)
class ProbeResult:
    """How one probe of one machine or service ended."""

    stage: Stage
    """The first stage that needs it."""
    probe: str
    """``bmc.login``, ``time.server``: what was probed."""
    subject: str
    """A node, an address or a URL."""
    outcome: Outcome
    text: str
    """What was read; for a failure, what is wrong and the next step."""
    seconds: float

    @property
    def key(self) -> str:
        """Tells the same probe of another run."""
        return f"{self.probe} {self.subject}"


async def take(stage: Stage, probe: str, subject: str, reading: Awaitable[ProbeReading]) -> ProbeResult:
    """The result of `reading`: a failure where it raises `ProbeError`."""
    started = time.monotonic()
    outcome: Outcome
    try:
        answer = await reading
        outcome, text = "advice" if answer.advice else "pass", answer.text
    except ProbeError as problem:
        outcome, text = "fail", str(problem)
    return ProbeResult(stage, probe, subject, outcome, text, round(time.monotonic() - started, 3))
