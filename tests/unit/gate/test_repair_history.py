"""Histories of parts at their boundaries: what stays open, how often is too often, what is recorded."""

from __future__ import annotations

import pytest

from rackwright.gate import retest
from rackwright.gate.check_patterns import CheckRole
from rackwright.gate.parts import concerned_parts, node_parts
from rackwright.gate.rejoin import RepairState, open_failures, repair_events, repair_holds
from rackwright.model.gate import Decision
from rackwright.model.repair import Part, PartEvent, RepairRule, Retest
from rackwright.model.times import parse_time
from rackwright.model.verdict import Outcome
from tests import build
from tests.rotation import of_this_run

NODE = "train-001"
GPU = Part(serial="S3", kind="device", place="GPU 3", node=NODE)
BOX = Part(serial="B1", kind="bmc", place="", node=NODE)


def moment(text: str) -> str:
    """``day hour`` of a month as an ISO time."""
    day, _, hour = text.partition(" ")
    return f"2026-11-{int(day):02d}T{int(hour or 0):02d}:00:00+00:00"


def failed(at: str, check: str = "gpu.ecc", **change) -> PartEvent:
    return PartEvent(**(GPU.model_dump() | {"what": "failed", "at": moment(at), "check": check} | change))


def passed(at: str, check: str = "gpu.ecc") -> PartEvent:
    return failed(at, check, what="passed")


def repaired(at: str, action: str = "reset", **change) -> PartEvent:
    return failed(at, **({"check": "", "what": "repaired", "action": action} | change))


@pytest.mark.parametrize(
    ("events", "open_checks"),
    [
        ([failed("1")], {"gpu.ecc": "1"}),
        ([failed("1"), failed("2")], {"gpu.ecc": "2"}),
        ([failed("1"), passed("2")], {}),
        ([passed("1"), failed("2")], {"gpu.ecc": "2"}),
        ([failed("1"), passed("2", "gpu.count")], {"gpu.ecc": "1"}),
        ([failed("1"), failed("2", "gpu.count"), repaired("3")], {"gpu.ecc": "3", "gpu.count": "3"}),
        ([failed("1"), failed("2", "gpu.count"), repaired("3", check="gpu.ecc")], {"gpu.ecc": "3", "gpu.count": "2"}),
        ([repaired("3", check="gpu.ecc")], {"gpu.ecc": "3"}),
        ([repaired("3")], {}),
        ([failed("1"), repaired("3", "clear")], {}),
        ([failed("1"), repaired("2", "clear"), failed("3")], {"gpu.ecc": "3"}),
        ([failed("1"), failed("2", what="seen")], {"gpu.ecc": "1"}),
    ],
)
def test_failures_that_are_open(events, open_checks) -> None:
    assert {check: event.at for check, event in open_failures(events).items()} == {
        check: moment(at) for check, at in open_checks.items()
    }


RULES = (
    RepairRule(action="reboot", most=1, hours=24, source="s"),
    RepairRule(action="any", most=2, hours=48, source="s"),
)


def replace_reasons(*events: PartEvent, rules=RULES, parts=(GPU,)) -> list[str]:
    state = RepairState({NODE: list(parts)}, events, rules, [retest_of("reboot"), retest_of("reset")])
    holds = repair_holds(state, [build.verdict("gpu.ecc")], {NODE: parse_time(moment("30"))}, build.gate(["gpu.*"]))
    return [hold.says for hold in holds if hold.rule == "repair.replace"]


def retest_of(action: str, *checks: str, part: str = "device") -> Retest:
    return Retest(action=action, part=part, checks=list(checks or ("gpu.*",)), source="s")


@pytest.mark.parametrize(
    ("events", "says"),
    [
        ([repaired("1", "reboot"), repaired("2", "reboot")], "2 times reboot within 24 hours, 1 allowed"),
        ([repaired("1", "reboot"), repaired("2 1", "reboot")], ""),
        ([repaired("1"), repaired("2"), repaired("3")], "3 repairs within 48 hours, 2 allowed"),
        ([repaired("1"), repaired("2"), repaired("3 1")], ""),
        ([repaired("1"), repaired("2", "reseat"), repaired("3", "flash")], "3 repairs within 48 hours, 2 allowed"),
        ([repaired("1"), repaired("2", "move"), repaired("3", "coolant")], ""),
        ([repaired("1"), repaired("2"), failed("3"), passed("3")], ""),
        ([repaired("1"), repaired("2", "clear"), repaired("2"), repaired("3")], ""),
        ([repaired("1", "reboot"), repaired("1", "reboot"), repaired("1", "clear"), repaired("2", "reboot")], ""),
        (
            [repaired("9"), repaired("1"), repaired("2"), repaired("3"), repaired("20")],
            "3 repairs within 48 hours, 2 allowed",
        ),
    ],
)
def test_how_often_is_too_often(events, says) -> None:
    assert replace_reasons(*events) == ([f"GPU 3 (serial S3): {says}: replace it"] if says else [])
    assert replace_reasons(*events, parts=[]) == []


def test_a_policy_is_needed_as_soon_as_a_part_was_repaired() -> None:
    reason = "GPU 3 (serial S3) was repaired, and no policy says how often that is enough: mend repair.most"
    assert replace_reasons(repaired("1"), rules=()) == [reason]
    assert replace_reasons(repaired("1", "move"), failed("2"), rules=()) == []
    assert replace_reasons(repaired("1"), repaired("2", "clear"), rules=()) == []


def rejoin_reasons(
    *events: PartEvent, outcome: Outcome | None = Outcome.PASS, day: str = "20", parts=(BOX, GPU), gate=None
):
    verdicts = [] if outcome is None else [build.verdict("gpu.ecc", outcome=outcome)]
    state = RepairState(
        {NODE: list(parts)},
        events,
        RULES,
        [retest_of(action, part=part) for action in ("reset", "replace") for part in ("device", "bmc", "dimm")],
    )
    holds = repair_holds(state, verdicts, {NODE: parse_time(moment(day))}, gate or build.gate(["gpu.*"]))
    return [hold.says for hold in holds if hold.rule == "repair.rejoin"]


@pytest.mark.parametrize(
    ("events", "outcome", "says"),
    [
        (
            [failed("1")],
            None,
            "gpu.ecc must pass again (failed on train-001 at 2026-11-01T00:00), it is not judged here",
        ),
        (
            [failed("1", node="n9")],
            Outcome.DEGRADED,
            "gpu.ecc must pass again (failed on n9 at 2026-11-01T00:00), it is degraded",
        ),
        (
            [failed("1"), repaired("2 5")],
            Outcome.DEGRADED,
            "gpu.ecc must pass again (reset on 2026-11-02T05:00), it is degraded",
        ),
        ([failed("20")], Outcome.PASS, ""),
        (
            [failed("20 1")],
            Outcome.PASS,
            "gpu.ecc passes on evidence that is not newer than the failure: collect again",
        ),
        (
            [failed("1"), repaired("20")],
            Outcome.PASS,
            "gpu.ecc passes on evidence that is not newer than the reset: collect again",
        ),
        ([failed("1"), repaired("19 23")], Outcome.PASS, ""),
    ],
)
def test_why_a_node_may_not_rejoin(events, outcome, says) -> None:
    assert rejoin_reasons(*events, outcome=outcome) == ([f"GPU 3 (serial S3): {says}"] if says else [])


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"kind": "bmc", "place": "", "serial": "B1"}, "the machine (serial B1)"),
        ({"kind": "dimm", "place": ""}, "dimm (serial S3)"),
        ({"kind": "dimm", "place": "A1"}, "A1 (serial S3)"),
    ],
)
def test_how_a_part_is_named(change, name) -> None:
    part = GPU.model_copy(update=change)
    event = failed("1", **change)
    [says] = rejoin_reasons(event, outcome=Outcome.DEGRADED, parts=[part])
    assert says.startswith(f"{name}: gpu.ecc must pass again")


def test_a_part_that_was_taken_out_and_is_there_again() -> None:
    history = [failed("1"), repaired("2", "replace")]
    end = "clear its history, or take it out"
    assert rejoin_reasons(*history)[0] == (
        f"GPU 3 (serial S3) was taken out as replaced on 2026-11-02 and is still there: {end}"
    )
    moved = [event.model_copy(update={"node": "n9"}) for event in history]
    assert rejoin_reasons(*moved)[0] == (
        f"GPU 3 (serial S3) was taken out as replaced on 2026-11-02 and was in n9: {end}"
    )
    assert rejoin_reasons(*history, repaired("3", "clear")) == []
    assert rejoin_reasons(*history, parts=[BOX]) == []
    assert rejoin_reasons(*history[:1], parts=[BOX], outcome=None) == []
    assert rejoin_reasons(*moved, parts=[BOX], day="1") == []


CLOSED = Decision(node=NODE, accepted=False, blocking=["gpu.ecc"], reason="r")
OPEN = Decision(node=NODE, accepted=True, blocking=[], reason="r")


def recorded(
    *history: PartEvent, outcome=Outcome.FAIL, decision=CLOSED, parts=(BOX, GPU), day="20", dated=None, retests=()
):
    verdicts = [build.verdict("gpu.ecc", outcome=outcome, observed="GPU 3: 2", says="GPU 3 is bad")]
    state = RepairState({NODE: list(parts)}, history, RULES, retests, {NODE: dated or {}})
    collected = {NODE: parse_time(moment(day))} if day else {}
    return [
        (event.what, event.serial, event.check, event.at, event.says)
        for event in repair_events(verdicts, [decision], state, collected)
    ]


def test_failures_are_recorded_with_the_time_of_their_reading() -> None:
    assert recorded() == [("failed", "S3", "gpu.ecc", moment("20"), "GPU 3 is bad")]
    [(*_, at, _)] = recorded(dated={"gpu.ecc": parse_time(moment("19"))})
    assert at == moment("19")
    assert recorded(day="") == []
    assert recorded(failed("20")) == []
    assert len(recorded(failed("19 23"))) == 1
    assert recorded(failed("20 1")) == []


def test_a_repair_that_worked_is_recorded_once_its_node_is_accepted() -> None:
    history = [failed("1"), repaired("2")]
    ecc = ("passed", "S3", "gpu.ecc", moment("20"), "gpu.ecc passes on train-001")
    rejoin = ("passed", "S3", "repair.rejoin", moment("20"), "what its repair asks for passes on train-001")
    ask = {"outcome": Outcome.PASS, "retests": [retest_of("reset")]}
    assert recorded(*history, decision=OPEN, **ask) == [ecc, rejoin]
    assert recorded(*history, decision=CLOSED, **ask) == [ecc]
    assert recorded(*history, decision=OPEN, day="", **ask) == []
    dated = {"gpu.ecc": parse_time(moment("18"))}
    assert [event[3] for event in recorded(*history, decision=OPEN, dated=dated, **ask)] == [moment("18")] * 2
    assert recorded(*history, passed("3"), passed("3", "repair.rejoin"), decision=OPEN, **ask) == []


def test_the_replacement_of_a_part_that_is_gone_is_recorded_where_it_was() -> None:
    history = [failed("1"), repaired("2", "replace")]
    ask = {"outcome": Outcome.PASS, "decision": OPEN, "retests": [retest_of("replace")], "parts": [BOX]}
    assert [event[:3] for event in recorded(*history, **ask)] == [
        ("passed", "S3", "gpu.ecc"),
        ("passed", "S3", "repair.rejoin"),
    ]
    noted = [*history, failed("3", "gpu.count")]
    assert [event[:3] for event in recorded(*noted, **ask)] == [
        ("passed", "S3", "gpu.ecc"),
        ("passed", "S3", "repair.rejoin"),
    ]
    moved = [event.model_copy(update={"node": "n9"}) for event in history]
    assert recorded(*moved, **ask) == recorded(*history[:1], **ask) == recorded(failed("1"), repaired("2"), **ask) == []


@pytest.mark.parametrize(
    ("events", "part", "days"),
    [
        ([repaired("1"), repaired("2", "flash")], GPU, ["1", "2"]),
        ([repaired("1"), passed("2", "repair.rejoin"), repaired("3")], GPU, ["3"]),
        ([repaired("1"), passed("2")], GPU, ["1"]),
        ([repaired("1"), repaired("2", "clear")], GPU, []),
        ([repaired("1"), repaired("2", "replace")], GPU, ["1"]),
        ([repaired("1"), repaired("2", "replace")], None, ["2"]),
        ([failed("1")], GPU, []),
    ],
)
def test_repairs_that_are_open(events, part, days) -> None:
    assert [event.at for event in retest.open_repairs(part, events)] == [moment(day) for day in days]


ROLES = {"burn": CheckRole.WHEN_RUN, "fan": CheckRole.NEVER}


def missing(outcomes, *patterns, day="20", open_checks=(), action="reset"):
    dates = retest.EvidenceDates(None if day is None else parse_time(moment(day)))
    state = retest.NodeState(
        {check: Outcome(outcome) for check, outcome in outcomes.items()},
        lambda check: ROLES.get(check.split(".")[0], CheckRole.ALWAYS),
        dates,
    )
    policy = [retest_of(action, *patterns)]
    return list(retest.missing_retests(GPU, [repaired("5")], policy, state, open_checks))


@pytest.mark.parametrize(
    ("outcomes", "change", "says"),
    [
        ({"gpu.a": "pass"}, {}, []),
        ({"gpu.a": "pass"}, {"day": "5"}, ["gpu.a: evidence is not newer than the reset: collect again"]),
        ({"gpu.a": "pass"}, {"day": "5 1"}, []),
        ({"gpu.a": "pass"}, {"day": None}, ["gpu.a: evidence is not newer than the reset: collect again"]),
        (
            {"gpu.a": "pass", "gpu.b": "pass"},
            {"day": "4", "open_checks": ["gpu.a"]},
            ["gpu.b: evidence is not newer than the reset: collect again"],
        ),
        ({"burn.a": "not_run"}, {}, ["burn.a must be run and pass after it (reset on 2026-11-05T00:00)"]),
        ({"gpu.a": "not_run"}, {}, []),
        ({"fan.a": "pass"}, {"day": "4"}, []),
        ({"net.a": "pass"}, {}, ["nothing of gpu.*, burn.*, fan.* was judged (reset on 2026-11-05T00:00)"]),
        ({"net.a": "pass"}, {"open_checks": ["net.a"]}, []),
        (
            {},
            {"action": "flash"},
            ["no policy says what must pass again (reset on 2026-11-05T00:00): mend repair.retest"],
        ),
        (
            {f"burn.{n}": "not_run" for n in range(3)},
            {},
            ["burn.0, burn.1, burn.2 must be run and pass after it (reset on 2026-11-05T00:00)"],
        ),
        (
            {f"burn.{n}": "not_run" for n in range(5)},
            {},
            ["burn.0, burn.1, burn.2 and 2 more must be run and pass after it (reset on 2026-11-05T00:00)"],
        ),
    ],
)
def test_what_a_repair_asks_for(outcomes, change, says) -> None:
    assert missing(outcomes, "gpu.*", "burn.*", "fan.*", **change) == says


@pytest.mark.parametrize(
    ("days", "proven"),
    [
        ({}, "20"),
        ({"gpu.a": "10"}, "10"),
        ({"gpu.a": "5"}, "20"),
        ({"net.a": "6"}, "20"),
        ({"gpu.a": "4", "gpu.b": "5"}, "5"),
    ],
)
def test_when_a_repair_was_proven(days, proven) -> None:
    dates = retest.EvidenceDates(
        parse_time(moment("20")), {check: parse_time(moment(day)) for check, day in days.items()}
    )
    outcomes = dict.fromkeys(("gpu.a", "gpu.b", "net.a"), Outcome.PASS)
    events = [repaired("2"), repaired("5", "flash")]
    at = retest.proven_at(events, [retest_of("reset"), retest_of("move", "net.*")], outcomes, dates)
    assert at == parse_time(moment(proven))


@pytest.mark.parametrize(
    ("observed", "serials"),
    [
        ("GPU 3: 2", ["S3"]),
        ("serial S3 is bad", ["S3"]),
        ("GPU 31: 2", ["B1"]),
        ("XS3", ["B1"]),
        ("GPU 3 and B1", ["B1", "S3"]),
        ("", ["B1"]),
    ],
)
def test_parts_that_a_finding_names(observed, serials) -> None:
    verdict = build.verdict(observed=observed)
    assert [part.serial for part in concerned_parts(verdict, [BOX, GPU])] == serials


NO_SERIALS = ["", " ", "0", "N/A", "Unknown", "Not Specified", "None", "To Be Filled By O.E.M."]


@pytest.mark.parametrize("serial", of_this_run(NO_SERIALS, 3))
def test_a_serial_that_is_none_makes_no_part(serial) -> None:
    kinds = {kind: record for kind, record in build.node_evidence().records.items() if kind.__name__ == "BmcEvidence"}
    [(kind, record)] = kinds.items()
    for number, count in ((serial, 0), ("X1", 1)):
        evidence = build.node_evidence(records={kind: record.model_copy(update={"serial": number})})
        assert sum(part.kind == "bmc" for part in node_parts(evidence)) == count
