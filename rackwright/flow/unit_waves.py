"""Brings the machines of a scalable unit up in the waves of onboarding: a canary of every server, then the rest.

A wave with too many failures ends the run. Completed machines stay in the stack of the unit, and another run continues
from there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from rackwright.onboard.waves import Tolerance, Wave
from rackwright.provision.result import MachineResult, UpResult

Bring = Callable[[Sequence[str]], UpResult]
"""Nodes -> results of their machines."""
BAD = ("failed", "skipped")


def bring_in_waves(waves: Sequence[Wave], bring: Bring, tolerance: Tolerance) -> UpResult:
    """The results of the machines of all `waves`; machines that were not reached are ``skipped``, with the reason."""
    result, stopped = bring(waves[0].nodes), ""
    for wave, following in zip(waves, [*waves[1:], None], strict=True):
        bad = sum(result.machines[name].outcome in BAD for name in wave.nodes)
        if not stopped and not tolerance.bears(bad, wave):
            stopped = f"{bad} of {len(wave.nodes)} machines of wave {wave.name} failed, more than may: put them right, then run again"
        if following is not None:
            result = _unreached(result, following, stopped) if stopped else _joined(result, bring(following.nodes))
    return result


def _joined(before: UpResult, after: UpResult) -> UpResult:
    diagnostics = tuple(dict.fromkeys((*before.diagnostics, *after.diagnostics)))
    return replace(
        after,
        machines={**before.machines, **after.machines},
        diagnostics=diagnostics,
        seconds=before.seconds + after.seconds,
    )


def _unreached(result: UpResult, wave: Wave, reason: str) -> UpResult:
    machines = {name: MachineResult(name, "skipped", error=reason) for name in wave.nodes}
    return replace(result, machines={**result.machines, **machines})
