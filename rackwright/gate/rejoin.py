"""When a repaired node may come back, and when a part has been repaired often enough.

Three rules, over the history of each serial, wherever the part is now:

    rejoin    what failed must pass again on the same part, with evidence newer than the repair
    rejoin    so must what the policy names for such a repair (`retest`), whether or not anything had failed before
    replace   more repairs in a time than the policy allows: the part is to be replaced, however well it does today

A part that was written down as replaced must be gone. The history follows the serial into another node. Failures count
only when they kept a node out: an advisory check has no authority here, and a reading that failed is no broken part.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rackwright.gate import retest
from rackwright.gate.check_patterns import Asked, asks
from rackwright.gate.evidence_age import HOUR, moment
from rackwright.gate.parts import MACHINE, concerned
from rackwright.model.gate import Decision, Gate, Hold
from rackwright.model.repair import Part, PartEvent, RepairRule, Retest
from rackwright.model.verdict import Outcome, Verdict

REJOIN, REPLACE = retest.REJOIN, "repair.replace"
COUNTED = ("reset", "reboot", "reseat", "flash")
ANY = "any"


@dataclass(frozen=True)
class Repaired:
    """What the rules look at."""

    parts: Mapping[str, Sequence[Part]]
    """By node: the parts in it now."""
    history: Sequence[PartEvent]
    """Oldest first, without sightings."""
    rules: Sequence[RepairRule]
    """Empty: nothing says how many repairs are enough, so that a repaired node is held."""
    retests: Sequence[Retest] = ()
    """What must pass again, for every action and kind of part of the history."""
    dated: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By node and check: the ISO time at which what the check reads was taken; one that is not there is as old as its node's evidence."""


def held(repaired: Repaired, verdicts: Iterable[Verdict], taken: Mapping[str, str], gate: Gate) -> list[Hold]:
    """The holds of every node of `repaired`; `taken` is the ISO time of its evidence."""
    by_serial: dict[str, list[PartEvent]] = defaultdict(list)
    for event in repaired.history:
        by_serial[event.serial].append(event)
    outcomes: dict[str, dict[str, Outcome]] = defaultdict(dict)
    for verdict in verdicts:
        outcomes[verdict.target][verdict.check] = verdict.outcome
    asked = asks(gate)
    holds: list[Hold] = []
    for node, members in repaired.parts.items():
        here = {part.serial: part for part in members}
        gone = [serial for serial, events in by_serial.items() if serial not in here and events[-1].node == node]
        for serial in [*(one for one in here if one in by_serial), *gone]:
            told = _Told(
                node,
                here.get(serial),
                by_serial[serial],
                retest.Dates(taken.get(node, ""), repaired.dated.get(node, {})),
            )
            seen = retest.Seen(outcomes[node], asked, told.taken)
            again = retest.missing(told.part, told.events, repaired.retests, seen, open_failures(told.events))
            said = [(REJOIN, f"{told.name}: {says}") for says in again]
            for rule, says in (*_again(told, outcomes[node], asked), *said, *_enough(told, repaired.rules)):
                holds.append(Hold(node=node, rule=rule, says=says))
    return holds


@dataclass(frozen=True)
class _Told:
    """One serial and one node."""

    node: str
    part: Part | None
    """None: the part is not in the node any more."""
    events: Sequence[PartEvent]
    taken: retest.Dates

    @property
    def name(self) -> str:
        """The part as people find it."""
        last = self.part or self.events[-1]
        kind = "the machine" if last.kind == MACHINE else last.kind
        return f"{last.place or kind} (serial {last.serial})"


def open_failures(events: Iterable[PartEvent]) -> dict[str, PartEvent]:
    """By check: the last failure or repair of one part since which that check has not passed."""
    found: dict[str, PartEvent] = {}
    for event in events:
        if event.what == "failed":
            found[event.check] = event
        elif event.what == "passed":
            found.pop(event.check, None)  # `REJOIN` ends what `retest` asks for, and is no check
        elif event.what == "repaired" and event.action == "clear":
            found.clear()
        elif event.what == "repaired":
            for check in [event.check] if event.check else list(found):
                found[check] = event
    return found


def _again(told: _Told, outcomes: Mapping[str, Outcome], asked: Callable[[str], Asked]) -> Iterator[tuple[str, str]]:
    ended = [one for one in told.events if one.action in ("replace", "clear")]
    if told.part is not None and ended and ended[-1].action == "replace":
        where = "is still there" if ended[-1].node == told.node else f"was in {ended[-1].node}"
        day = ended[-1].at[:10]
        yield REJOIN, f"{told.name} was taken out as replaced on {day} and {where}: clear its history, or take it out"
        return
    for check, event in open_failures(told.events).items():
        if told.part is None and event.action != "replace":
            continue  # the part is elsewhere: its history follows it, and the checks of this node speak for the new one
        says = _not_yet(told, check, event, outcomes.get(check), asked(check))
        if says:
            yield REJOIN, says


def _not_yet(told: _Told, check: str, event: PartEvent, outcome: Outcome | None, asked: Asked) -> str:
    """Why `check` does not count as passed again; empty when it does, or when the verdict refuses by itself."""
    refuses = outcome is not None and outcome not in (Outcome.PASS, Outcome.DEGRADED)
    if asked is Asked.NEVER or (asked is Asked.ALWAYS and refuses):
        return ""
    did = (
        f"{event.action} on {event.at[:16]}"
        if event.what == "repaired"
        else f"failed on {event.node} at {event.at[:16]}"
    )
    if outcome is not Outcome.PASS:
        return f"{told.name}: {check} must pass again ({did}), it is {outcome.value if outcome else 'not judged here'}"
    if not told.taken.of(check) or _older(told.taken.of(check), event):
        return f"{told.name}: {check} passes on evidence that is not newer than the {event.action or 'failure'}: collect again"
    return ""


def _older(taken: str, event: PartEvent) -> bool:
    """Whether evidence of `taken` cannot show what came of `event`; a failure may be judged again from its own evidence."""
    if event.what == "failed":
        return moment(taken) < moment(event.at)
    return moment(taken) <= moment(event.at)


def _enough(told: _Told, rules: Sequence[RepairRule]) -> Iterator[tuple[str, str]]:
    cleared = max((number for number, one in enumerate(told.events) if one.action == "clear"), default=-1)
    done = [one for one in told.events[cleared + 1 :] if one.what == "repaired" and one.action in COUNTED]
    if told.part is None or not done:
        return
    if not rules:
        yield REPLACE, f"{told.name} was repaired, and no policy says how often that is enough: mend repair.most"
    for rule in rules:
        mine = [moment(one.at) for one in done if rule.action in (ANY, one.action)]
        worst = max(
            (sum(0 <= (end - one).total_seconds() <= rule.hours * HOUR for one in mine) for end in mine), default=0
        )
        if worst > rule.most:
            kind = "repairs" if rule.action == ANY else f"times {rule.action}"
            yield REPLACE, f"{told.name}: {worst} {kind} within {rule.hours:g} hours, {rule.most:g} allowed: replace it"
            return


def events(
    verdicts: Iterable[Verdict], decisions: Iterable[Decision], repaired: Repaired, taken: Mapping[str, str]
) -> list[PartEvent]:
    """What this run adds to the history: parts whose checks refuse their node, and parts whose open failures are over."""
    blocking = {one.node: set(one.blocking) for one in decisions}
    refused = {hold.node for one in decisions for hold in one.holds if hold.rule == REJOIN}
    accepted = {one.node for one in decisions if one.accepted}
    by_serial: dict[str, list[PartEvent]] = defaultdict(list)
    for event in repaired.history:
        by_serial[event.serial].append(event)
    found: list[PartEvent] = []
    outcomes: dict[str, dict[str, Outcome]] = defaultdict(dict)
    for verdict in verdicts:
        outcomes[verdict.target][verdict.check] = verdict.outcome
        if verdict.outcome is Outcome.FAIL and verdict.check in blocking.get(verdict.target, ()):
            at = repaired.dated.get(verdict.target, {}).get(verdict.check, taken.get(verdict.target, ""))
            for part in concerned(verdict, repaired.parts.get(verdict.target, ())):
                last = open_failures(by_serial.get(part.serial, ())).get(verdict.check)
                if at and (last is None or moment(last.at) < moment(at)):
                    found.append(_event(part, "failed", at, verdict.check, verdict.says))
    for node, members in repaired.parts.items():
        if node not in refused:
            dates = retest.Dates(taken.get(node, ""), repaired.dated.get(node, {}))
            shown = repaired.retests if node in accepted else None
            found += _passed(node, members, by_serial, outcomes[node], dates, shown)
    return found


def _passed(
    node: str,
    members: Sequence[Part],
    by_serial: Mapping[str, Sequence[PartEvent]],
    outcomes: Mapping[str, Outcome],
    taken: retest.Dates,
    retests: Sequence[Retest] | None,
) -> Iterator[PartEvent]:
    """Failures that are over; with `retests`, of a node that was accepted, also repairs that were shown to have worked."""
    here = {part.serial: part for part in members}
    for serial, told in by_serial.items():
        last = told[-1]
        part = here.get(serial)
        repaired = retest.due(part, told)
        if part is None and last.node == node and any(one.action == "replace" for one in (last, *repaired)):
            part = Part(serial=serial, kind=last.kind, place=last.place, node=node)
        if part is None or not taken.whole:
            continue
        for check in open_failures(told):
            if outcomes.get(check) is Outcome.PASS:
                yield _event(part, "passed", taken.of(check), check, f"{check} passes on {node}")
        if repaired and retests is not None:
            at = retest.shown(repaired, retests, outcomes, taken)
            yield _event(part, "passed", at, REJOIN, f"what its repair asks for passes on {node}")


def _event(part: Part, what: str, at: str, check: str, says: str) -> PartEvent:
    return PartEvent.model_validate({**part.model_dump(), "what": what, "at": at, "check": check, "says": says})
