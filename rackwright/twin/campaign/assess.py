"""What a scene showed: which faults were found, whether the right object was named, and what was red without a cause."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fnmatch import fnmatchcase

from rackwright.model.verdict import Outcome, Verdict
from rackwright.twin.campaign.scenes import Scene
from rackwright.twin.faults import Fault, Injected


@dataclass(frozen=True)
class Shown:
    """The result of one scene."""

    scene: Scene
    red: tuple[Verdict, ...]
    """Every verdict that was not a pass."""
    missed: tuple[str, ...]
    """One sentence for each fault that no check of its own turned red on each node that it hit."""
    unnamed: tuple[str, ...]
    """One sentence for each fault that was found without a word of the object at fault."""
    stray: tuple[str, ...]
    """One sentence for each verdict on a machine that no fault explains."""

    @property
    def wrong(self) -> tuple[str, ...]:
        """Everything that should not be, as sentences; empty when the scene went as injected."""
        return tuple(f"{self.scene.name}: {one}" for one in (*self.missed, *self.unnamed, *self.stray))


def assess(scene: Scene, red: Sequence[Verdict]) -> Shown:
    """Compare what was injected with what turned red."""
    found = {one: _finders(scene, one, red) for one in scene.injected}
    missed = [
        f"{one.fault.name} on {node} was not found by {', '.join(sorted(one.fault.checks))}"
        for one, by_node in found.items()
        for node, verdicts in by_node.items()
        if not verdicts
    ]
    unnamed = [
        f"{one.fault.name} on {node} was found, and no sentence names {' or '.join(sorted(one.names))}"
        for one, by_node in found.items()
        for node, verdicts in by_node.items()
        if one.names and verdicts and not _named(one, verdicts)
    ]
    return Shown(scene, tuple(red), tuple(missed), tuple(unnamed), tuple(_stray(scene, red)))


def _finders(scene: Scene, one: Injected, red: Sequence[Verdict]) -> dict[str, list[Verdict]]:
    """By hit node on which something can find the fault: the verdicts that did; those elsewhere count where the fault shows there."""
    own = [verdict for verdict in red if _any(verdict.check, one.fault.checks) and _tells(verdict, one.fault)]
    far = [verdict for verdict in own if _any(verdict.check, one.fault.elsewhere)]
    return {
        node: [verdict for verdict in own if verdict.target == node] or far
        for node in one.nodes
        if any(not _any(check, _masked(scene, one, node)) for check in one.fault.checks)
    }


def _masked(scene: Scene, one: Injected, node: str) -> frozenset[str]:
    """Checks that see nothing of `one` on `node`, because another fault of the scene hides it there."""
    others = (other.fault.masks for other in scene.injected if other is not one and node in other.nodes)
    return frozenset[str]().union(*others)


def _tells(verdict: Verdict, fault: Fault) -> bool:
    return fault.unread or verdict.outcome in (Outcome.FAIL, Outcome.DEGRADED)


def _named(one: Injected, verdicts: Sequence[Verdict]) -> bool:
    return any(word in verdict.says for word in one.names for verdict in verdicts)


def _stray(scene: Scene, red: Sequence[Verdict]) -> list[str]:
    hit = {node for one in scene.injected for node in one.nodes}
    far = frozenset[str]().union(*(one.fault.elsewhere for one in scene.injected))
    return [
        f"{verdict.target}, which no fault hit: {verdict.check} {verdict.outcome.value}, {verdict.says}"
        for verdict in red
        if verdict.target not in hit and not _any(verdict.check, far)
    ]


def _any(check: str, patterns: AbstractSet[str]) -> bool:
    return any(fnmatchcase(check, pattern) for pattern in patterns)
