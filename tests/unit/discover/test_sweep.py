"""BMCs of the twin are swept over HTTPS, and each fault of racking is found, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from rackwright import discover
from rackwright.discover import BmcVisit, VisitStore, sweep
from rackwright.discover.delivery import DeliveredMachine
from rackwright.discover.sweep import Caller
from rackwright.model.design import Node
from tests import build

from .conftest import NODES, serials

Serve = Callable[..., Caller]


def _nodes() -> list[Node]:
    return [build.site_design().node(name) for name in NODES]


def _read(caller: Caller, store: VisitStore, addresses: list[str] | None = None) -> dict[str, BmcVisit | None]:
    async def collect() -> dict[str, BmcVisit | None]:
        swept = addresses if addresses is not None else [node.bmc_address for node in _nodes()]
        return {address: visit async for address, visit in discover.sweep_bmcs(swept, caller, store)}

    return asyncio.run(collect())


def _survey(store: VisitStore, delivery: list[DeliveredMachine] | None) -> discover.RackSurvey:
    design = build.site_design()
    inputs = discover.SurveyInputs(
        site=design.site.site,
        nodes=_nodes(),
        wiring=discover.SlotWiring.of(design),
        declarations=discover.Declarations.of([], delivery, "notice.csv"),
        contacted=frozenset(node.bmc_address for node in _nodes()),
    )
    return discover.survey_machines(store.read(), inputs)


def _notice() -> list[DeliveredMachine]:
    return [
        DeliveredMachine(serial, node=node, line=at) for at, (node, serial) in enumerate(serials().items(), start=2)
    ]


def test_every_machine_is_where_it_belongs(serve: Serve, tmp_path: Path) -> None:
    store = VisitStore(tmp_path / "visits")
    _read(serve(), store)
    survey = _survey(store, _notice())
    assert survey.is_sound, list(survey.machines)
    assert [(entry.sits, entry.declared, entry.machine.serial) for entry in survey.machines] == [
        (node, node, serial) for node, serial in serials().items()
    ]
    assert survey.machines[0].evidence == ("its BMC hears oob-switch-01 port swp1 (LLDP)",)
    assert survey.machines[0].machine.bmc_macs[0].startswith("b8:3f:d2:")


def test_each_fault_of_racking_is_found(serve: Serve, tmp_path: Path) -> None:
    store = VisitStore(tmp_path / "visits")
    caller = serve("machines-swapped", "machine-unknown", "machine-missing", "serial-twice")
    answers = _read(caller, store)
    assert [address for address, visit in answers.items() if visit is None] == [_nodes()[3].bmc_address]
    survey = _survey(store, _notice())
    assert [(entry.sits, entry.state.value, entry.declared) for entry in survey.machines] == [
        ("train-001", "wrong slot", "train-002"),
        ("train-002", "wrong slot", "train-001"),
        ("train-003", "unknown", ""),
        ("train-005", "twice", ""),
        ("train-006", "twice", ""),
    ]
    assert "the two machines hold each other's slot: exchange them" in survey.machines[0].problems[0]
    assert (
        survey.machines[0]
        .problems[0]
        .startswith("it sits in train-001 (rack train-r01, U1) and belongs into train-002 (rack train-r01, U9)")
    )
    assert f"where {serials()['train-003']} belongs (notice.csv:4)" in survey.machines[2].problems[0]
    assert [(slot.node, slot.rack) for slot in survey.missing] == [("train-004", "train-r01")]
    assert survey.missing[0].reason.startswith(
        f"nobody answers at {_nodes()[3].bmc_address}: look whether the machine with"
    )
    assert set(survey.remarks()) == set(NODES)
    assert survey.remarks()["train-001"] == f"holds {serials()['train-002']} of train-002"


def test_without_a_list_machines_are_new(serve: Serve, tmp_path: Path) -> None:
    store = VisitStore(tmp_path / "visits")
    _read(serve("machines-swapped"), store)
    survey = _survey(store, None)
    assert {entry.state.value for entry in survey.machines} == {"new"}
    assert survey.is_sound


def test_a_visit_is_stored_before_the_next_result(serve: Serve, tmp_path: Path) -> None:
    """So that a sweep that is killed loses at most what was under way, and a repeated judgement reads nothing."""
    store, caller = VisitStore(tmp_path / "visits"), serve()

    async def first_only() -> str:
        async for address, _ in discover.sweep_bmcs([node.bmc_address for node in _nodes()], caller, store):
            return address
        raise AssertionError("nobody answered")

    address = asyncio.run(first_only())
    assert address in {visit.address for visit in store.read()}
    (store.folder / "10.64.4.99.json.gz").write_bytes(b"\x1f\x8b")
    assert "10.64.4.99" not in {visit.address for visit in store.read()}, "cut off by a crash"


def test_a_silent_bmc_is_tried_once_more_at_the_end(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller, store = serve(), VisitStore(tmp_path / "visits")
    first, *others = [node.bmc_address for node in _nodes()]
    tries: list[str] = []
    listens = sweep._listens

    async def late(endpoint: str) -> bool:
        tries.append(endpoint)
        return await listens(endpoint) and not (endpoint == caller.endpoint(first) and tries.count(endpoint) == 1)

    async def order(*expected: str) -> list[tuple[str, bool]]:
        swept = discover.sweep_bmcs([first, *others], caller, store, expected)
        return [(address, visit is not None) async for address, visit in swept]

    monkeypatch.setattr(sweep, "_listens", late)
    assert asyncio.run(order(first))[-1] == (first, True)
    assert tries.count(caller.endpoint(first)) == 2
    tries.clear()
    assert (first, False) in asyncio.run(order()), "of an address at which nobody expects a BMC, silence is an answer"


def test_the_account_that_bmcs_came_with(serve: Serve, tmp_path: Path) -> None:
    store = VisitStore(tmp_path / "visits")
    _read(serve(password="wrong", initial="correct horse"), store)
    survey = _survey(store, _notice())
    assert survey.is_sound
    assert {entry.machine.account for entry in survey.machines} == {"initial"}
    assert "--set-bmc-accounts" in survey.machines[0].notes[0]


def test_a_wrong_password_does_not_go_to_every_bmc(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(discover.addresses.limits(), "visits_at_once", 1)
    store = VisitStore(tmp_path / "visits")
    answers = _read(serve(password="wrong"), store)
    errors = [visit.error for visit in answers.values() if visit]
    assert sum("refused the account (HTTP 401)" in error for error in errors) == 4
    assert sum("was not sent the account, which 4 BMCs refused and none took" in error for error in errors) == 2
    survey = _survey(store, _notice())
    assert [slot.node for slot in survey.missing] == NODES
    assert "account" in survey.missing[0].reason


def test_one_bmc_that_refuses_stops_no_other(serve: Serve, tmp_path: Path) -> None:
    store = VisitStore(tmp_path / "visits")
    _read(serve(refusing=["train-002"]), store)
    survey = _survey(store, _notice())
    assert len(survey.machines) == 5
    assert [slot.node for slot in survey.missing] == ["train-002"]
    assert "refused the account" in survey.missing[0].reason


def test_what_cannot_be_followed_is_the_failure_of_one_address(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stumble(*_: object) -> None:
        raise KeyError("Members")

    monkeypatch.setattr("rackwright.discover.sweep.crawl_identity", stumble)
    answers = _read(serve(), VisitStore(tmp_path / "visits"), [_nodes()[0].bmc_address])
    assert [visit.error for visit in answers.values() if visit] == [
        f"BMC {_nodes()[0].bmc_address} answered in a form that cannot be followed (KeyError: 'Members')"
    ]
