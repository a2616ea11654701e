"""Assesses a scene: faults that were found, whether findings name the faulty object, red verdicts without a cause, and the gate's decisions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fnmatch import fnmatchcase

from rackwright.model.gate import Decision
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
    let_in: tuple[str, ...]
    """One sentence for each hit node that the gate accepts, although a check that decides found the fault."""
    kept_out: tuple[str, ...]
    """One sentence for each node that the gate refuses, although no fault hit it."""
    advisory: frozenset[str]
    """Faults that only advisory checks found, so that no node is refused."""

    @property
    def wrong(self) -> tuple[str, ...]:
        """All deviations as sentences; empty when the scene went as injected."""
        sentences = (*self.missed, *self.unnamed, *self.stray, *self.let_in, *self.kept_out)
        return tuple(f"{self.scene.name}: {sentence}" for sentence in sentences)


def assess(
    scene: Scene, red: Sequence[Verdict], decisions: Sequence[Decision], deciding: AbstractSet[str]
) -> SceneResult:
    """Compare what was injected with what turned red, and with what the gate decided; `deciding` are the checks that can refuse a node."""
    blocking = {decision.node: decision.blocking for decision in decisions if not decision.accepted}
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
        if injected.names and verdicts and not _fault_named(injected, verdicts)
    ]
    advisory = frozenset(
        injected.fault.name
        for injected, by_node in finders.items()
        if any(by_node.values())
        and not any(_decides(verdict, deciding) for verdicts in by_node.values() for verdict in verdicts)
        and not blocking.keys() & set(injected.nodes)
    )
    let_in = [
        f"{injected.fault.name} on {node} was found by {', '.join(sorted(checks))}, and the gate accepts the node"
        for injected, by_node in finders.items()
        for node, verdicts in by_node.items()
        if (checks := {verdict.check for verdict in verdicts if verdict.target == node and _decides(verdict, deciding)})
        and not checks.intersection(blocking.get(node, ()))
    ]
    return SceneResult(
        scene, tuple(red), tuple(missed), tuple(unnamed), tuple(_stray_verdicts(scene, red)), tuple(let_in),
        tuple(_kept_out(scene, blocking)), advisory,
    )  # fmt: skip


def _decides(verdict: Verdict, deciding: AbstractSet[str]) -> bool:
    return verdict.check in deciding and not verdict.advisory


def _kept_out(scene: Scene, blocking: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Sentences on refused nodes that no fault hit, unless the refusing checks are those where a fault shows elsewhere."""
    hit = {node for injected in scene.injected for node in injected.nodes}
    far = frozenset[str]().union(*(injected.fault.elsewhere for injected in scene.injected))
    for node, names in blocking.items():
        unexplained = [name for name in names if not _matches(name, far)]
        if node not in hit and unexplained:
            yield f"the gate refuses {node}, which no fault hit, for {', '.join(unexplained)}"


def _finders(scene: Scene, injected: Injected, red: Sequence[Verdict]) -> dict[str, list[Verdict]]:
    """Hit node -> the red verdicts that found the fault there; verdicts elsewhere count if the fault shows there. Nodes where another fault hides it
    are left out.
    """
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


def _fault_named(injected: Injected, verdicts: Sequence[Verdict]) -> bool:
    return any(word in verdict.says for word in injected.names for verdict in verdicts)


def _stray_verdicts(scene: Scene, red: Sequence[Verdict]) -> list[str]:
    hit = {node for injected in scene.injected for node in injected.nodes}
    far = frozenset[str]().union(*(injected.fault.elsewhere for injected in scene.injected))
    return [
        f"{verdict.target}, which no fault hit: {verdict.check} {verdict.outcome.value}, {verdict.says}"
        for verdict in red
        if verdict.target not in hit and not _matches(verdict.check, far)
    ]


def _matches(check: str, patterns: AbstractSet[str]) -> bool:
    return any(fnmatchcase(check, pattern) for pattern in patterns)
