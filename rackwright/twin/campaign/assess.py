"""Assesses a scene: faults that were found, whether findings name the faulty object, and red verdicts without a cause."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fnmatch import fnmatchcase

from rackwright.model.verdict import Outcome, Verdict
from rackwright.twin.campaign.scenes import Scene
from rackwright.twin.faults import Fault, Injected


@dataclass(frozen=True)
class SceneResult:
    """The result of one scene."""

    scene: Scene
    red: tuple[Verdict, ...]
    """Every verdict that was not a pass."""
    missed: tuple[str, ...]
    """One sentence for each hit node on which none of the checks of a fault found it."""
    unnamed: tuple[str, ...]
    """One sentence for each fault that was found by findings that do not name the faulty object."""
    stray: tuple[str, ...]
    """One sentence for each verdict on a machine that no fault explains."""

    @property
    def wrong(self) -> tuple[str, ...]:
        """All deviations as sentences; empty when the scene went as injected."""
        return tuple(f"{self.scene.name}: {sentence}" for sentence in (*self.missed, *self.unnamed, *self.stray))


def assess(scene: Scene, red: Sequence[Verdict]) -> SceneResult:
    """Compare what was injected with what turned red."""
    finders = {injected: _finders(scene, injected, red) for injected in scene.injected}
    missed = [
        f"{injected.fault.name} on {node} was not found by {', '.join(sorted(injected.fault.checks))}"
        for injected, by_node in finders.items()
        for node, verdicts in by_node.items()
        if not verdicts
    ]
    unnamed = [
        f"{injected.fault.name} on {node} was found, and no sentence names {' or '.join(sorted(injected.names))}"
        for injected, by_node in finders.items()
        for node, verdicts in by_node.items()
        if injected.names and verdicts and not _named(injected, verdicts)
    ]
    return SceneResult(scene, tuple(red), tuple(missed), tuple(unnamed), tuple(_stray(scene, red)))


def _finders(scene: Scene, injected: Injected, red: Sequence[Verdict]) -> dict[str, list[Verdict]]:
    """The red verdicts that found the fault, by hit node on which it can be found; verdicts elsewhere count where the fault shows there."""
    verdicts = [
        verdict
        for verdict in red
        if _matches(verdict.check, injected.fault.checks) and _counts_as_found(verdict, injected.fault)
    ]
    far = [verdict for verdict in verdicts if _matches(verdict.check, injected.fault.elsewhere)]
    return {
        node: [verdict for verdict in verdicts if verdict.target == node] or far
        for node in injected.nodes
        if any(not _matches(check, _masked(scene, injected, node)) for check in injected.fault.checks)
    }


def _masked(scene: Scene, injected: Injected, node: str) -> frozenset[str]:
    """Checks that cannot see `injected` on `node`, because another fault of the scene hides it."""
    others = (rival.fault.masks for rival in scene.injected if rival is not injected and node in rival.nodes)
    return frozenset[str]().union(*others)


def _counts_as_found(verdict: Verdict, fault: Fault) -> bool:
    return fault.unread or verdict.outcome in (Outcome.FAIL, Outcome.DEGRADED)


def _named(injected: Injected, verdicts: Sequence[Verdict]) -> bool:
    return any(word in verdict.says for word in injected.names for verdict in verdicts)


def _stray(scene: Scene, red: Sequence[Verdict]) -> list[str]:
    hit = {node for injected in scene.injected for node in injected.nodes}
    far = frozenset[str]().union(*(injected.fault.elsewhere for injected in scene.injected))
    return [
        f"{verdict.target}, which no fault hit: {verdict.check} {verdict.outcome.value}, {verdict.says}"
        for verdict in red
        if verdict.target not in hit and not _matches(verdict.check, far)
    ]


def _matches(check: str, patterns: AbstractSet[str]) -> bool:
    return any(fnmatchcase(check, pattern) for pattern in patterns)
