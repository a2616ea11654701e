"""Plays the waves of a run, one after the other, and decides after each whether the next may begin.

It touches no host itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rackwright.model.inventory import HostRecap, Recap, WaveRecap
from rackwright.onboard.drain import Guard
from rackwright.onboard.options import OnboardOptions
from rackwright.onboard.play_results import OnEvent
from rackwright.onboard.recaps import combined_recap
from rackwright.onboard.waves import Wave


@dataclass(frozen=True)
class Turn:
    """One play."""

    hosts: tuple[str, ...]
    jobs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Jobs that the scheduler sees on hosts; only a check plays such hosts."""
    reboot: frozenset[str] = frozenset()
    """Hosts that may be rebooted: they are out of service."""
    wipe: frozenset[str] = frozenset()
    """Hosts whose scratch is emptied: they are out of service."""
    alone: bool = False
    """Whether these hosts were played before in this run."""


Play = Callable[[Turn], Recap]
LEFT_RUNNING = "needs a reboot, and was left running"


def roll_out(waves: Sequence[Wave], play: Play, options: OnboardOptions, guard: Guard, on_event: OnEvent) -> Recap:
    """Play all waves. Events besides those of `play`: ``onboard.wave`` (`name`, `hosts`, `bad`,
    `seconds`, `waves`: how many there are) after each.

    A host that was not played because the run stopped is not as declared, and says why.
    """
    started = time.monotonic()
    course = _Course(play, options, guard)
    done: list[WaveRecap] = []
    stopped = ""
    for wave in waves:
        if stopped:
            course.leave_out(wave, stopped)
            continue
        done.append(course.wave(wave))
        on_event("onboard.wave", {**done[-1].model_dump(), "waves": len(waves)})
        if not options.tolerance.bears(done[-1].bad, wave):
            stopped = f"{done[-1].bad} of {done[-1].hosts} hosts of wave {wave.name} failed, more than may"
    order = [name for wave in waves for name in wave.nodes]
    return Recap(
        hosts={name: course.hosts[name] for name in order},
        seconds=round(time.monotonic() - started, 3),
        task_seconds=course.task_seconds,
        waves=tuple(done),
        stopped=stopped if len(done) < len(waves) else "",
    )


class _Course:
    """The hosts of a run, as far as it has come."""

    def __init__(self, play: Play, options: OnboardOptions, guard: Guard) -> None:
        self._play, self._options, self._guard = play, options, guard
        self.hosts: dict[str, HostRecap] = {}
        self.task_seconds: dict[str, float] = {}

    def wave(self, wave: Wave) -> WaveRecap:
        """Play one wave to its end."""
        started = time.monotonic()
        jobs = self._guard.running(wave.nodes)
        busy = {} if self._options.harmless else self._waited_for(jobs)
        for name, node_jobs in busy.items():
            self.hosts[name] = _left_alone(node_jobs)
        wipe, serving = self._wiped([name for name in wave.nodes if name not in busy])
        for name, why in serving.items():
            self.hosts[name] = _left_alone((f"its scratch is not wiped while it serves: {why}",))
        free = tuple(name for name in wave.nodes if name not in busy and name not in serving)
        ready = self._guard.free(free) if self._may_reboot and self._options.mode != "worker" else frozenset()
        visible_jobs = {name: node_jobs for name, node_jobs in jobs.items() if self._options.harmless}
        self._turn(Turn(free, visible_jobs, reboot=ready, wipe=wipe))
        self._retry(free, ready, wipe)
        self._reboot(free)
        for name in wave.nodes:
            self.hosts[name] = _finished(self.hosts[name].model_copy(update={"wave": wave.name}))
        bad = sum(1 for name in wave.nodes if self.hosts[name].broken)
        seconds = round(time.monotonic() - started, 3)
        return WaveRecap(name=wave.name, hosts=len(wave.nodes), bad=bad, seconds=seconds)

    @property
    def _may_reboot(self) -> bool:
        return self._options.reboot and not self._options.harmless

    def leave_out(self, wave: Wave, why: str) -> None:
        """The run stopped before the turn of this wave."""
        for name in wave.nodes:
            message = f"not touched: {why}"
            self.hosts[name] = HostRecap(ok=0, changed=0, unreachable=0, failed=1, first_failure=message, attempts=0)

    def _waited_for(self, jobs: Mapping[str, tuple[str, ...]]) -> Mapping[str, tuple[str, ...]]:
        """The nodes whose jobs did not end in time; none is drained when nobody wants to wait."""
        wait = self._options.drain_wait_seconds
        if not jobs or not wait:
            return jobs
        running = self._guard.drain(list(jobs), "onboarding waits for its jobs", wait)
        return {name: (why,) for name, why in running.items() if why}

    def _turn(self, turn: Turn) -> None:
        if not turn.hosts:
            return
        recap = self._play(turn)
        for name in turn.hosts:
            had = self.hosts.get(name)
            self.hosts[name] = combined_recap(had, recap.hosts[name]) if had else recap.hosts[name]
        for role, seconds in recap.task_seconds.items():
            self.task_seconds[role] = round(self.task_seconds.get(role, 0.0) + seconds, 3)

    def _wiped(self, names: Sequence[str]) -> tuple[frozenset[str], Mapping[str, str]]:
        """Nodes that are out of service, so that their scratch may be emptied; and why the others are not."""
        if not self._options.wipe_scratch or self._options.harmless or not names:
            return frozenset(), {}
        ready = self._guard.free(names)
        rest = [name for name in names if name not in ready]
        answers = self._guard.drain(rest, "its scratch is wiped", self._options.drain_wait_seconds) if rest else {}
        serving = {name: why for name, why in answers.items() if why}
        return frozenset(names) - serving.keys(), serving

    def _retry(self, names: Sequence[str], ready: frozenset[str], wipe: frozenset[str]) -> None:
        """Hosts that failed or did not answer, alone. What was refused before it was touched would be refused again."""
        for _ in range(self._options.retries):
            bad = tuple(name for name in names if self.hosts[name].broken and self.hosts[name].attempts)
            self._turn(Turn(bad, reboot=ready & frozenset(bad), wipe=wipe & frozenset(bad), alone=True))

    def _reboot(self, names: Sequence[str]) -> None:
        """Hosts in service that need it, once, after a drain; those whose jobs go on keep their reasons."""
        if not self._may_reboot:
            return
        needy = [name for name in names if self.hosts[name].awaits_reboot]
        if not needy:
            return
        running = self._guard.drain(needy, "reboot for onboarding", self._options.drain_wait_seconds)
        for name in needy:
            if running[name]:
                message = f"{LEFT_RUNNING} ({'; '.join(self.hosts[name].reboot)}): {running[name]}"
                self.hosts[name] = self.hosts[name].model_copy(update={"first_failure": message})
        ready = tuple(name for name in needy if not running[name])
        self._turn(Turn(ready, reboot=frozenset(ready), alone=True))


def _left_alone(jobs: tuple[str, ...]) -> HostRecap:
    message = f"left alone: {', '.join(jobs)}; run again when it is free, or wait for it with --drain-wait"
    return HostRecap(ok=0, changed=0, unreachable=0, failed=0, first_failure=message, attempts=0, busy=jobs)


def _finished(host: HostRecap) -> HostRecap:
    """A host that lacks nothing but a reboot says so in our words."""
    if not host.awaits_reboot or host.first_failure.startswith(LEFT_RUNNING):
        return host
    message = f"needs a reboot, which --reboot allows: {'; '.join(host.reboot)}"
    return host.model_copy(update={"first_failure": message})
