"""What must pass again after a repair, whether or not anything had failed before it.

It fails closed: a repair that the policy does not know asks for a policy, and evidence that is not newer than the repair shows nothing. Once
a node has come back, an event says so (`REJOIN` passed), and what becomes of its evidence later is no matter of the repair any more. A
verdict that refuses the node by itself needs no sentence here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from rackwright.gate.check_patterns import Asked
from rackwright.gate.evidence_age import moment
from rackwright.model.repair import Part, PartEvent, Retest
from rackwright.model.verdict import Outcome

REJOIN = "repair.rejoin"
SHOWN = 3
"""Checks that are named; the others are counted."""


@dataclass(frozen=True)
class Dates:
    """When the evidence of one node was taken."""

    whole: str
    """ISO time of the oldest answer that counts; empty without any."""
    checks: Mapping[str, str] = field(default_factory=dict)
    """By check: of what it reads, where that is known."""

    def of(self, check: str) -> str:
        """ISO time of what `check` reads."""
        return self.checks.get(check, self.whole)


@dataclass(frozen=True)
class Seen:
    """What is known of one node now."""

    outcomes: Mapping[str, Outcome]
    asked: Callable[[str], Asked]
    taken: Dates


def due(part: Part | None, events: Sequence[PartEvent]) -> list[PartEvent]:
    """Repairs of a serial since which its node has not come back; of a part that is not there any more only its replacement."""
    found: list[PartEvent] = []
    for event in events:
        if event.action == "clear" or (event.what == "passed" and event.check == REJOIN):
            found.clear()
        elif event.what == "repaired":
            found.append(event)
    return [one for one in found if (one.action == "replace") is (part is None)]


def missing(
    part: Part | None, events: Sequence[PartEvent], retests: Sequence[Retest], seen: Seen, failed: Collection[str] = ()
) -> Iterator[str]:
    """Why the repairs of one serial keep its node out; the checks of `failed` are asked for already."""
    known = _by_repair(retests)
    for event in due(part, events):
        did = f"{event.action} on {event.at[:16]}"
        policy = known.get((event.action, event.kind))
        if policy is None:
            yield f"no policy says what must pass again ({did}): mend repair.retest"
            continue
        named = [one for one in seen.outcomes if _wanted(one, policy)]
        wanted = [one for one in named if one not in failed and seen.asked(one) is not Asked.NEVER]
        left = [one for one in wanted if seen.outcomes[one] is Outcome.NOT_RUN and seen.asked(one) is Asked.WHEN_RUN]
        old = [one for one in wanted if one not in left and not _newer(seen.taken.of(one), event)]
        if left:
            yield f"{_shown(left)} must be run and pass after it ({did})"
        if old:
            yield f"{_shown(old)}: evidence is not newer than the {event.action}: collect again"
        if not named and not failed:
            yield f"nothing of {_shown(policy.checks)} was judged ({did})"


def shown(
    repaired: Sequence[PartEvent], retests: Sequence[Retest], outcomes: Mapping[str, Outcome], taken: Dates
) -> str:
    """ISO time of the oldest evidence by which the repairs `repaired` are shown to have worked; never before the last of them."""
    known = _by_repair(retests)
    policies = [one for event in repaired if (one := known.get((event.action, event.kind))) is not None]
    times = [taken.of(one) for one in outcomes if any(_wanted(one, policy) for policy in policies)]
    last = max(repaired, key=lambda one: moment(one.at)).at
    return min((one for one in times if moment(one) > moment(last)), key=moment, default=last)


def _by_repair(retests: Sequence[Retest]) -> dict[tuple[str, str], Retest]:
    return {(one.action, one.part): one for one in retests}


def _newer(taken: str, event: PartEvent) -> bool:
    return bool(taken) and moment(taken) > moment(event.at)


def _wanted(check: str, policy: Retest) -> bool:
    return any(fnmatchcase(check, pattern) for pattern in policy.checks)


def _shown(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"{', '.join(names[:SHOWN])}{more}"
