"""Evidence that does not speak of the node as it is now opens no gate."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from rackwright import collect, gate
from rackwright.collect import Store, library
from rackwright.collect.output import Output
from rackwright.flow.evidence_extract import gate_extract
from rackwright.model.evidence.host import ClockSources
from rackwright.model.gate import Decision, GroupDecision
from rackwright.model.times import parse_time
from rackwright.model.verdict import Outcome
from rackwright.twin import tools
from rackwright.twin.hardware.state import TwinMachine
from rackwright.twin.hardware.state import build as build_state
from tests import build

NOW = parse_time("2026-11-23T10:00:00+00:00")
NODES = ("train-001", "train-002")
GATES = list(gate.load_gates())
PLANT = {"r1": ["r1-A1-pdu"], "pod": ["cdu-1"]}


def decide(
    name: str, collected_at: str, plant: str = "", hours: dict[str, float] | None = None
) -> tuple[list[Decision], list[GroupDecision]]:
    """Decide at the shipped gate `name`, every check of which passes."""
    chain = gate.load_chain(name, hours=hours or {})
    checks = [pattern.replace("*", "x") for pattern in chain[-1].required()]
    verdicts = [build.verdict(check, node, Outcome.PASS) for node in NODES for check in checks]
    members = {"rack": {"r1": NODES}, "fabric": {"compute": NODES}, "cluster": {"train": NODES}, "site": {"pod": NODES}}
    collected = dict.fromkeys(NODES, parse_time(collected_at)) | dict.fromkeys(
        ["r1-A1-pdu", "cdu-1"], parse_time(plant or collected_at)
    )
    return gate.decide_all(chain, gate.GateInput(verdicts, NODES, [], NOW, collected, members, around=PLANT))


@pytest.mark.parametrize("name", GATES)
def test_evidence_of_2020_opens_no_gate(name: str) -> None:
    decisions, groups = decide(name, "2020-11-23T10:00:00+00:00")
    assert [decision.blocking for decision in decisions] == [["evidence.age"]] * 2
    assert not any(group.open for group in groups)
    assert "evidence of 2020-11-23, 2191 days old, " in decisions[0].reason
    assert all(decision.accepted for decision in decide(name, "2026-11-23T09:00:00+00:00")[0]), (
        "the same, collected now"
    )


@pytest.mark.parametrize("name", GATES)
def test_evidence_dated_in_the_future_opens_no_gate(name: str) -> None:
    decisions, groups = decide(name, "2031-01-01T00:00:00+00:00")
    assert not any(decision.accepted for decision in decisions)
    assert not any(group.open for group in groups)
    assert (
        "was taken at 2031-01-01T00:00, after this decision (2026-11-23T10:00, 5 minutes allowed)"
        in decisions[0].reason
    )
    assert all(decision.accepted for decision in decide(name, "2026-11-23T10:05:00+00:00")[0]), "clocks differ a little"


@pytest.mark.parametrize(("name", "group"), [("rack", "r1"), ("handover", "pod")])
def test_old_evidence_of_a_pdu_or_cdu_opens_no_rack_and_no_site(name: str, group: str) -> None:
    _, groups = decide(name, "2026-11-23T09:00:00+00:00", plant="2020-11-23T10:00:00+00:00")
    [closed] = [decision for decision in groups if decision.gate == name]
    assert (closed.group, closed.open) == (group, False)
    assert f"{PLANT[group][0]}: evidence of 2020-11-23, 2191 days old" in closed.reason


@pytest.mark.parametrize(
    ("hours", "allowed"),
    [({}, 336), ({"node": 24.0}, 24), ({"node": 720.0}, 720), ({"node": 9000.0}, 720), ({"rack": 24.0}, 24)],
)
def test_a_site_widens_no_gate_beyond_its_bound_nor_beyond_the_gate_before_it(
    hours: dict[str, float], allowed: float
) -> None:
    chain = gate.load_chain("rack", hours=hours)
    assert chain[-1].evidence is not None
    assert chain[-1].evidence.hours == min(allowed, 336 if "rack" not in hours else 24)


def test_ages_and_validity_are_printed_in_numbers() -> None:
    [decision, _] = decide("handover", "2026-11-20T10:00:01+00:00")[0]
    assert decision.evidence == "evidence of 2026-11-20, 3 days old, 7 allowed, until 2026-11-27T10:00"
    [decision, _] = decide("handover", "2026-11-16T09:59:59+00:00")[0]
    assert decision.evidence.startswith("evidence of 2026-11-16, 7.1 days old, 7 allowed"), (
        "never 7 of 7 where it is refused"
    )


# Evidence of another state of the node


HOURS = {"collect": 0, "burn-in": 1, "collect again": 2}
LIBRARY = {
    **{name: library()[name] for name in ("host", "nvml", "bmc")},
    "burn": replace(library()["clock"], load=True),
    "pair": replace(
        library()["clock"], produces=ClockSources, scope="group", load=True, parse=lambda _: ClockSources(sources=[])
    ),
}
NODE = "train-001"


def outputs(change: Callable[[TwinMachine], TwinMachine] = lambda machine: machine) -> list[Output]:
    """What collectors of the state of the node answer."""
    design = build.site_design()
    state = build_state(design, [NODE], seed=1).with_machine(NODE, change)
    return [output for output in tools.outputs(design, state, [NODE])[1] if output.collector in ("host", "nvml", "bmc")]


def header(purpose: str) -> dict[str, Any]:
    owed = {"state": ["host", "nvml", "bmc"], "load": ["burn"], "group": ["pair"]}[purpose]
    return {"site": "h100-pod", "purpose": purpose, "owed": {NODE: owed}, "adapters": {}, "designs": {NODE: DESIGN}}


def record(store: Store, step: str, purpose: str, answers: Iterable[Output], **fields: object) -> None:
    with store.begin(header(purpose) | fields, NOW + timedelta(hours=HOURS[step])) as run:
        run.add_all(list(answers))


DESIGN = collect.node_digest(build.site_design().node(NODE))
CLOCK = b"7F000001,10.64.0.2,9,1.0,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,1.0,Normal\n"
BURN = [Output(NODE, "burn", "", CLOCK, rc=0)]
PAIR = [Output(NODE, "pair", "p", CLOCK, rc=0, nodes=(NODE,))]


def system(**fields: Any) -> Callable[[TwinMachine], TwinMachine]:
    return lambda machine: replace(machine, system=replace(machine.system, **fields))


def gpu(**fields: Any) -> Callable[[TwinMachine], TwinMachine]:
    return lambda machine: replace(machine, gpus=(replace(machine.gpus[0], **fields), *machine.gpus[1:]))


CHANGES: dict[str, tuple[Callable[[TwinMachine], TwinMachine], str]] = {
    "reboot": (system(boots=2), "it was booted since (boot "),
    "driver": (system(driver="575.57.08"), "driver 580.173.02, now 575.57.08"),
    "BIOS": (lambda machine: replace(machine, bios_version="1.5.2"), ", now 1.5.2"),
    "machine": (lambda machine: replace(machine, serial="OTHER"), ", now OTHER"),
    "serial of an accelerator": (gpu(serial="9999999999999"), ", now 9999999999999"),
}


def holds(store: Store) -> list[str]:
    design = build.site_design()
    evidence = collect.load_merged(store, collectors=LIBRARY)
    extract = gate_extract(design, {}, evidence.values(), [NODE])
    return [hold.says for hold in gate.state_holds(extract.changed, [NODE])]


@pytest.mark.parametrize("purpose", ["load", "group"])
@pytest.mark.parametrize("name", CHANGES)
def test_a_test_before_a_change_of_the_node_is_evidence_of_another_node(
    name: str, purpose: str, tmp_path: Path
) -> None:
    change, words = CHANGES[name]
    store = Store(tmp_path / "evidence")
    record(store, "collect", "state", outputs())
    record(store, "burn-in", purpose, BURN if purpose == "load" else PAIR)
    assert holds(store) == [], "collected, and tested: nothing changed"
    record(store, "collect again", "state", outputs(change))
    [says] = holds(store)
    reading = "Clock" if purpose == "load" else "ClockSources"
    assert says.startswith(f"{reading} of 2026-11-23T11:00 speak of another state of the node: ")
    assert words in says
    assert says.endswith("burn in again" if purpose == "load" else "test again, with the nodes of its group")


@pytest.mark.parametrize("name", CHANGES)
def test_a_test_after_the_change_is_of_the_node_that_is_there(name: str, tmp_path: Path) -> None:
    store = Store(tmp_path / "evidence")
    record(store, "collect", "state", outputs(CHANGES[name][0]))
    record(store, "burn-in", "load", BURN)
    record(store, "collect again", "state", outputs(CHANGES[name][0]))
    assert holds(store) == []


def boot_of(answers: Iterable[Output]) -> str:
    return next(
        output.stdout.decode().split("== boot\n")[1].splitlines()[0] for output in answers if output.collector == "host"
    )


FIRST, SECOND = boot_of(outputs()), boot_of(outputs(system(boots=2)))


@pytest.mark.parametrize("purpose", ["load", "group"])
@pytest.mark.parametrize(
    ("before", "tested", "after", "words"),
    [
        (1, SECOND, 2, ""),
        (1, FIRST, 1, ""),
        (1, FIRST, 2, "speak of another state of the node: it was booted since (boot "),
        (1, SECOND, None, f"were taken in a later boot of the node ({SECOND[:8]}) than it was collected in ({FIRST[:8]})"),
        (1, FIRST, None, ""),
        (None, FIRST, 2, "speak of another state of the node: it was booted since (boot "),
        (None, SECOND, 2, ""),
        (1, "", 2, "speak of another state of the node: it was booted since (boot "),
    ],
    ids=[
        "a reboot before the test, and a collect after it", "no reboot", "a reboot after the test",
        "a reboot before the test, and no collect after it", "no reboot, no second collect",
        "no collect before the test, a reboot after it", "no collect before the test", "a test that names no boot",
    ],
)  # fmt: skip
def test_a_test_carries_the_boot_that_it_is_evidence_of(
    purpose: str, before: int | None, tested: str, after: int | None, words: str, tmp_path: Path
) -> None:
    store = Store(tmp_path / "evidence")
    if before:
        record(store, "collect", "state", outputs(system(boots=before)))
    answers = BURN if purpose == "load" else PAIR
    record(store, "burn-in", purpose, [replace(output, boots=(tested,) if tested else ()) for output in answers])
    if after:
        record(store, "collect again", "state", outputs(system(boots=after)))
    says = "".join(holds(store))
    assert bool(says) == bool(words), says
    assert words in says
    assert not words or says.endswith(
        "collect again"
        if after is None
        else {"load": "burn in again", "group": "test again, with the nodes of its group"}[purpose]
    )


def test_a_driver_that_changed_counts_whatever_the_boot_and_a_bios_within_one_cannot(tmp_path: Path) -> None:
    burnt = [replace(output, boots=(SECOND,)) for output in BURN]

    def changed(machine: TwinMachine) -> TwinMachine:
        return replace(system(boots=2, driver="575.57.08")(machine), bios_version="1.5.2")

    store = Store(tmp_path / "evidence")
    record(store, "collect", "state", outputs())
    record(store, "burn-in", "load", burnt)
    record(store, "collect again", "state", outputs(changed))
    [says] = holds(store)
    assert "another state of the node: driver 580.173.02, now 575.57.08: burn in again" in says


def test_a_node_that_booted_amid_its_tests_is_held(tmp_path: Path) -> None:
    store = Store(tmp_path / "evidence")
    record(store, "collect", "state", outputs(system(boots=2)))
    burnt = [replace(BURN[0], boots=(FIRST,)), replace(BURN[0], subject="again", boots=(SECOND,))]
    record(store, "burn-in", "load", burnt)
    record(store, "collect again", "state", outputs(system(boots=2)))
    assert "it was booted since" in "".join(holds(store))


def test_a_collect_that_was_cut_off_mixes_no_two_states_of_a_node(tmp_path: Path) -> None:
    store = Store(tmp_path / "evidence")
    record(store, "collect", "state", outputs())
    answers = [output for output in outputs(system(boots=2)) if output.collector == "host"]
    cut_off = store.begin(header("state"), NOW + timedelta(hours=1))
    cut_off.add_all(answers)
    cut_off.__exit__(KeyboardInterrupt, None, None)
    [says] = holds(store)
    assert "Accelerators, Bmc of 2026-11-23T10:00 speak of another state of the node: it was booted since" in says
    assert says.endswith("collect again")


def test_evidence_of_another_design_of_the_node_is_evidence_of_another_node(tmp_path: Path) -> None:
    store = Store(tmp_path / "evidence")
    record(store, "collect", "state", outputs(), designs={NODE: "0" * 64})
    [says] = holds(store)
    assert "the design of the node was changed since: collect again" in says


def test_what_nobody_recorded_then_is_not_compared(tmp_path: Path) -> None:
    """Evidence of runs that kept no boot and no design: the age alone decides."""
    store = Store(tmp_path / "evidence")
    before = [replace(output, stdout=output.stdout.partition(b"== boot")[0]) for output in outputs()]
    record(store, "collect", "state", before, designs={})
    record(store, "burn-in", "load", BURN, designs={})
    record(store, "collect again", "state", outputs(system(boots=2)))
    assert holds(store) == []


def test_no_waiver_covers_evidence_of_another_state() -> None:
    chain = gate.load_chain("node")
    checks = [pattern.replace("*", "x") for pattern in chain[-1].required()]
    verdicts = [build.verdict(check, NODE, Outcome.PASS) for check in checks]
    held = gate.state_holds({NODE: "Clock of another state"}, [NODE])
    waivers = [build.waiver("evidence.state", NODE), build.waiver(checks[0], NODE)]
    case = gate.GateInput(verdicts, [NODE], waivers, NOW, {NODE: NOW}, {}, holds=held)
    [decision] = gate.decide_all(chain, case)[0]
    assert (decision.accepted, decision.blocking) == (False, ["evidence.state"])
