"""What a scene showed: which faults were found, whether the right object was named, and what was red without a cause. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
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
    found = {one: _finders(one, red, _hidden(scene, one)) for one in scene.injected}
    missed = [
        f"{one.fault.name} on {node} was not found by {', '.join(sorted(one.fault.checks))}"
        for one, by_node in found.items()
        for node, verdicts in by_node.items()
        if not verdicts
    ]
    unnamed = [
        f"{one.fault.name} was found, and no sentence names {' or '.join(sorted(one.fault.names))}"
        for one, by_node in found.items()
        if one.fault.names and any(by_node.values()) and not _shares(scene, one) and not _named(one.fault, by_node)
    ]
    return Shown(scene, tuple(red), tuple(missed), tuple(unnamed), tuple(_stray(scene, red)))


def _hidden(scene: Scene, one: Injected) -> set[str]:
    """Nodes on which another fault of the scene leaves nothing to be read (a machine that is off): nothing else shows there."""
    return {node for other in scene.injected if other is not one and other.fault.unread for node in other.nodes}


def _shares(scene: Scene, one: Injected) -> bool:
    """Whether another fault sits on one of its nodes: what is slow for two reasons is not always named for both."""
    return any(set(one.nodes) & set(other.nodes) for other in scene.injected if other is not one)


def _finders(one: Injected, red: Sequence[Verdict], hidden: Collection[str]) -> dict[str, list[Verdict]]:
    """By hit node that can be read: the verdicts that found the fault; those elsewhere count where the fault shows there."""
    own = [verdict for verdict in red if _any(verdict.check, one.fault.checks) and _tells(verdict, one.fault)]
    far = [verdict for verdict in own if _any(verdict.check, one.fault.elsewhere)]
    return {
        node: [verdict for verdict in own if verdict.target == node] or far for node in one.nodes if node not in hidden
    }


def _tells(verdict: Verdict, fault: Fault) -> bool:
    return fault.unread or verdict.outcome in (Outcome.FAIL, Outcome.DEGRADED)


def _named(fault: Fault, by_node: dict[str, list[Verdict]]) -> bool:
    said = [verdict.says for verdicts in by_node.values() for verdict in verdicts]
    return any(word in sentence for word in fault.names for sentence in said)


def _stray(scene: Scene, red: Sequence[Verdict]) -> list[str]:
    hit = {node for one in scene.injected for node in one.nodes}
    far = frozenset[str]().union(*(one.fault.elsewhere for one in scene.injected))
    return [
        f"{verdict.target}, which no fault hit: {verdict.check} {verdict.outcome.value}, {verdict.says}"
        for verdict in red
        if verdict.target not in hit and not _any(verdict.check, far)
    ]


def _any(check: str, patterns: frozenset[str]) -> bool:
    return any(fnmatchcase(check, pattern) for pattern in patterns)
