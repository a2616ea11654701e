"""When a repaired node may come back, and when a part has been repaired often enough.

Three rules, over the history of each serial, wherever the part is now:

    rejoin    failed checks must pass again on the same part, with evidence newer than the repair
    rejoin    so must the checks that the policy names for such a repair (`retest`), whether or not anything failed before
    replace   more repairs in a period than the policy allows: the part must be replaced, even if it works today

A part that was recorded as replaced must be gone. The history follows the serial into another node. Failures count only if
they kept a node out: an advisory check has no authority here, and a failed reading is not a broken part.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from rackwright.gate import retest
from rackwright.gate.check_patterns import CheckRole, check_roles
from rackwright.gate.evidence_age import HOUR
from rackwright.gate.parts import MACHINE, concerned_parts
from rackwright.model.gate import Decision, Gate, Hold
from rackwright.model.node_verdicts import NO_VERDICT, Verdicts, by_target
from rackwright.model.repair import Part, PartEvent, RepairRule, Retest
from rackwright.model.times import minute_text
from rackwright.model.verdict import Outcome

REJOIN, REPLACE = retest.REJOIN, "repair.replace"
COUNTED = ("reset", "reboot", "reseat", "flash")
ANY = "any"


@dataclass(frozen=True)
class RepairState:
    """The input of the rules."""

    parts: Mapping[str, Sequence[Part]]
    """Parts now in the node, by node."""
    history: Sequence[PartEvent]
    """Oldest first, without sightings."""
    rules: Sequence[RepairRule]
    """If empty, no rule limits the number of repairs, and every repaired node is held."""
    retests: Sequence[Retest] = ()
    """Checks that must pass again, for every action and kind of part in the history."""
    dated: Mapping[str, Mapping[str, datetime]] = field(default_factory=dict)
    """Node -> check -> time of the readings that the check uses; a missing check is as old as its node's evidence."""


def repair_holds(
    repaired: RepairState, verdicts: Verdicts, collected: Mapping[str, datetime], gate: Gate
) -> list[Hold]:
    """The holds of every node of `repaired`; `collected` is the time of its evidence."""
    by_serial: dict[str, list[PartEvent]] = defaultdict(list)
    for event in repaired.history:
        by_serial[event.serial].append(event)
    if not by_serial:
        return []
    judged = by_target(verdicts)
    role_of = check_roles(gate)
    holds: list[Hold] = []
    for node, members in repaired.parts.items():
        present = {part.serial: part for part in members}
        absent = [serial for serial, events in by_serial.items() if serial not in present and events[-1].node == node]
        concerned = [*(number for number in present if number in by_serial), *absent]
        outcomes = judged.get(node, NO_VERDICT).outcomes if concerned else {}
        for serial in concerned:
            case = _SerialCase(
                node,
                present.get(serial),
                by_serial[serial],
                retest.EvidenceDates(collected.get(node), repaired.dated.get(node, {})),
            )
            state = retest.NodeState(outcomes, role_of, case.dates)
            again = retest.missing_retests(case.part, case.events, repaired.retests, state, open_failures(case.events))
            retest_holds = [(REJOIN, f"{case.name}: {says}") for says in again]
            for rule, says in (
                *_rejoin_reasons(case, outcomes, role_of),
                *retest_holds,
                *_replace_reasons(case, repaired.rules),
            ):
                holds.append(Hold(node=node, rule=rule, says=says))
    return holds


@dataclass(frozen=True)
class _SerialCase:
    """The history of one serial, judged for one node."""

    node: str
    part: Part | None
    """None if the part is no longer in the node."""
    events: Sequence[PartEvent]
    dates: retest.EvidenceDates

    @property
    def name(self) -> str:
        """The part with its place and serial, in words."""
        last = self.part or self.events[-1]
        kind = "the machine" if last.kind == MACHINE else last.kind
        return f"{last.place or kind} (serial {last.serial})"


def open_failures(events: Iterable[PartEvent]) -> dict[str, PartEvent]:
    """Check -> the last failure or repair of one part after which that check has not passed."""
    failures: dict[str, PartEvent] = {}
    for event in events:
        if event.what == "failed":
            failures[event.check] = event
        elif event.what == "passed":
            failures.pop(event.check, None)  # `REJOIN` ends the requirements of `retest`, and is no check
        elif event.what == "repaired" and event.action == "clear":
            failures.clear()
        elif event.what == "repaired":
            for check in [event.check] if event.check else list(failures):
                failures[check] = event
    return failures


def _rejoin_reasons(
    case: _SerialCase, outcomes: Mapping[str, Outcome], role_of: Callable[[str], CheckRole]
) -> Iterator[tuple[str, str]]:
    ended = [event for event in case.events if event.action in ("replace", "clear")]
    if case.part is not None and ended and ended[-1].action == "replace":
        where = "is still there" if ended[-1].node == case.node else f"was in {ended[-1].node}"
        day = ended[-1].time.date()
        yield REJOIN, f"{case.name} was taken out as replaced on {day} and {where}: clear its history, or take it out"
        return
    for check, event in open_failures(case.events).items():
        if case.part is None and event.action != "replace":
            continue  # the part is elsewhere: its history follows it, and the checks of this node are about the new part
        says = _not_yet(case, check, event, outcomes.get(check), role_of(check))
        if says:
            yield REJOIN, says


def _not_yet(case: _SerialCase, check: str, event: PartEvent, outcome: Outcome | None, role: CheckRole) -> str:
    """Why `check` has not passed again; empty if it has, or if the verdict refuses by itself."""
    refuses = outcome is not None and outcome not in (Outcome.PASS, Outcome.DEGRADED)
    if role is CheckRole.NEVER or (role is CheckRole.ALWAYS and refuses):
        return ""
    did = (
        f"{event.action} on {minute_text(event.time)}"
        if event.what == "repaired"
        else f"failed on {event.node} at {minute_text(event.time)}"
    )
    if outcome is not Outcome.PASS:
        return f"{case.name}: {check} must pass again ({did}), it is {outcome.value if outcome else 'not judged here'}"
    collected = case.dates.of(check)
    if collected is None or _is_older(collected, event):
        return f"{case.name}: {check} passes on evidence that is not newer than the {event.action or 'failure'}: collect again"
    return ""


def _is_older(collected: datetime, event: PartEvent) -> bool:
    """True if evidence of this time cannot show the result of `event`; a failure may be judged again from the same
    evidence.
    """
    if event.what == "failed":
        return collected < event.time
    return collected <= event.time


def _replace_reasons(case: _SerialCase, rules: Sequence[RepairRule]) -> Iterator[tuple[str, str]]:
    cleared = max((number for number, event in enumerate(case.events) if event.action == "clear"), default=-1)
    done = [event for event in case.events[cleared + 1 :] if event.what == "repaired" and event.action in COUNTED]
    if case.part is None or not done:
        return
    if not rules:
        yield REPLACE, f"{case.name} was repaired, and no policy says how often that is enough: mend repair.most"
    for rule in rules:
        mine = [event.time for event in done if rule.action in (ANY, event.action)]
        worst = max(
            (sum(0 <= (end - event).total_seconds() <= rule.hours * HOUR for event in mine) for end in mine), default=0
        )
        if worst > rule.most:
            kind = "repairs" if rule.action == ANY else f"times {rule.action}"
            yield REPLACE, f"{case.name}: {worst} {kind} within {rule.hours:g} hours, {rule.most:g} allowed: replace it"
            return


def repair_events(
    verdicts: Verdicts, decisions: Iterable[Decision], repaired: RepairState, collected: Mapping[str, datetime]
) -> list[PartEvent]:
    """The events that this run adds to the history: parts whose checks refuse their node, and parts whose failures are
    resolved.
    """
    blocking = {decision.node: set(decision.blocking) for decision in decisions}
    refused = {hold.node for decision in decisions for hold in decision.holds if hold.rule == REJOIN}
    accepted = {decision.node for decision in decisions if decision.accepted}
    by_serial: dict[str, list[PartEvent]] = defaultdict(list)
    for event in repaired.history:
        by_serial[event.serial].append(event)
    new_events: list[PartEvent] = []
    judged = by_target(verdicts)
    for verdict in (verdict for of_target in judged.values() for verdict in of_target.others):
        if verdict.outcome is Outcome.FAIL and verdict.check in blocking.get(verdict.target, ()):
            at = repaired.dated.get(verdict.target, {}).get(verdict.check, collected.get(verdict.target))
            for part in concerned_parts(verdict, repaired.parts.get(verdict.target, ())):
                last = open_failures(by_serial.get(part.serial, ())).get(verdict.check)
                if at is not None and (last is None or last.time < at):
                    new_events.append(_event(part, "failed", at, verdict.check, verdict.says))
    for node, members in repaired.parts.items() if by_serial else ():
        if node not in refused:
            dates = retest.EvidenceDates(collected.get(node), repaired.dated.get(node, {}))
            retests = repaired.retests if node in accepted else None
            new_events += _resolved_failures(
                node, members, by_serial, judged.get(node, NO_VERDICT).outcomes, dates, retests
            )
    return new_events


def _resolved_failures(
    node: str,
    members: Sequence[Part],
    by_serial: Mapping[str, Sequence[PartEvent]],
    outcomes: Mapping[str, Outcome],
    dates: retest.EvidenceDates,
    retests: Sequence[Retest] | None,
) -> Iterator[PartEvent]:
    """Events for resolved failures; with `retests` (of an accepted node) also for repairs that were shown to have
    worked.
    """
    present = {part.serial: part for part in members}
    for serial, history in by_serial.items():
        last = history[-1]
        part = present.get(serial)
        repaired = retest.open_repairs(part, history)
        if part is None and last.node == node and any(event.action == "replace" for event in (last, *repaired)):
            part = Part(serial=serial, kind=last.kind, place=last.place, node=node)
        if part is None or dates.default is None:
            continue
        for check in open_failures(history):
            if outcomes.get(check) is Outcome.PASS:
                yield _event(part, "passed", dates.checks.get(check, dates.default), check, f"{check} passes on {node}")
        if repaired and retests is not None:
            at = retest.proven_at(repaired, retests, outcomes, dates)
            yield _event(part, "passed", at, REJOIN, f"what its repair asks for passes on {node}")


def _event(part: Part, what: str, at: datetime, check: str, says: str) -> PartEvent:
    return PartEvent.model_validate(
        {**part.model_dump(), "what": what, "at": at.isoformat(), "check": check, "says": says}
    )
