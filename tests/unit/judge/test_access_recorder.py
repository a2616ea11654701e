"""What a check reads of a record and of a node is noted, and what cannot be noted is refused."""

from __future__ import annotations

import copy
import pickle

import pytest

from rackwright.judge.access_recorder import MARK, UnwatchableError, recording_record
from rackwright.judge.columns import Columns, Numbers
from rackwright.judge.node_view import SUBJECT, node_view, sentence
from rackwright.model.base import Record
from rackwright.model.evidence.drives import Drives
from rackwright.model.evidence.fabric import NodeFabric
from rackwright.model.evidence.pci import Pci
from rackwright.model.verdict import Finding, Outcome
from tests import build

PATH = ("drives",)


def drives(*changes: dict) -> Drives:
    healthy = build.healthy_record(Drives).drives[0]
    return Drives(drives=[healthy.model_copy(update=change) for change in changes])


def columns_read(read, record=None) -> list[str]:
    """The columns that `read` reads, as path and name."""
    log = {}
    read(recording_record(record or drives({"serial": "a"}, {"serial": "b"}), log))
    return [".".join((*path, name)) for path, name in log]


@pytest.mark.parametrize(
    ("read", "columns"),
    [
        (lambda record: record.drives, ["drives"]),
        (lambda record: record.drives[0].model, ["drives", "drives.model"]),
        (lambda record: [drive.bytes for drive in record.drives], ["drives", "drives.bytes"]),
        (lambda record: record.drives[0].serial, ["drives"]),
        (lambda record: str(record.drives[0].serial), ["drives", "drives.=serial"]),
        (lambda record: f"{record.drives[0].serial}", ["drives", "drives.=serial"]),
        (lambda record: repr(record.drives[0].serial), ["drives", "drives.=serial"]),
        (lambda record: bool(record.drives[0].serial), ["drives", "drives.=serial"]),
        (lambda record: f"{record.drives[0].serial:>9}", ["drives", "drives.serial"]),
        (lambda record: record.drives[0].serial == "a", ["drives", "drives.serial"]),
        (lambda record: {record.drives[0].serial}, ["drives", "drives.serial"]),
        (lambda record: record.drives[0].serial.upper(), ["drives", "drives.serial"]),
    ],
)
def test_columns_that_are_read(read, columns) -> None:
    assert columns_read(read) == columns


def test_what_is_read_is_what_the_record_holds() -> None:
    record = drives({"serial": "a", "bytes": 7}, {"serial": ""})
    first, second = recording_record(record, {}).drives
    assert (first.bytes, isinstance(first, type(record.drives[0]))) == (7, True)
    assert (str(first.serial), str(second.serial)) == (f"{MARK}a{MARK}", "")
    assert (bool(first.serial), bool(second.serial)) == (True, False)
    assert (first.serial == "a", first.serial == second.serial, first.serial == first.serial) == (True, False, True)
    assert (f"{first.serial:>3}", first.serial.upper(), hash(first.serial)) == ("  a", "A", hash("a"))
    links = recording_record(build.node_fabric(), {}).links
    assert list(links) == list(build.node_fabric().links)
    assert links["mlx5_0"].speed == "4xNDR"


def test_methods_and_properties_of_a_record_see_what_is_noted() -> None:
    board = Board(modules={"a": Module()})
    assert columns_read(lambda record: record.widths, board) == ["modules", "modules.width"]
    assert recording_record(board, {}).widths == [4]
    pci = build.healthy_record(Pci)
    columns = columns_read(lambda record: record.adapters([]), pci)
    assert columns == ["devices", "devices.pci_id"]


class Module(Record):
    width: int = 4


class Board(Record):
    module: Module | None = None
    modules: dict[str, Module | None] = {}

    @property
    def widths(self) -> list[int]:
        """Of the modules by name."""
        return [module.width for module in self.modules.values() if module is not None]


@pytest.mark.parametrize(
    ("board", "columns"),
    [
        (Board(), ["module", "modules"]),
        (Board(module=Module()), ["module", "modules", "module.width"]),
        (Board(modules={"a": None, "b": Module()}), ["module", "modules", "modules.width"]),
    ],
)
def test_parts_that_may_be_absent(board, columns) -> None:
    def read(record):
        parts = [record.module, *record.modules.values()]
        widths = [None if part is None else part.width for part in parts]
        assert widths == [4 if part else None for part in (board.module, *board.modules.values())]

    assert columns_read(read, board) == columns


@pytest.mark.parametrize(
    "read_whole",
    [
        str,
        repr,
        hash,
        len,
        list,
        copy.copy,
        copy.deepcopy,
        pickle.dumps,
        lambda record: f"{record}",
        lambda record: record == record,
        lambda record: record != 1,
        lambda record: record.model_dump(),
        lambda record: record.nothing,
    ],
)
def test_a_record_as_a_whole_is_refused(read_whole) -> None:
    with pytest.raises(UnwatchableError, match="Drives"):
        read_whole(recording_record(drives({}), {}))


@pytest.mark.parametrize(
    "read",
    [
        lambda view: view.node.name,
        lambda view: view.places,
        lambda view: view.links[0].remote_device == "leaf",
        lambda view: bool(view.links[0].remote_port),
        lambda view: hash(view.links[0].cable),
        lambda view: view.links[0].cable.upper(),
        lambda view: view.links[0].meters,
    ],
)
def test_what_nodes_do_not_share_cannot_be_seen(read) -> None:
    with pytest.raises(Exception, match=r"name|places|==|bool|hash|upper|meters"):
        read(node_view(build.expectation()))


def test_what_equal_nodes_share_can_be_seen() -> None:
    expectation = build.expectation()
    view = node_view(expectation)
    assert (view.subject, view.limits, view.software) == (SUBJECT, expectation.limits, expectation.software)
    assert (view.node.role, view.node.accelerators, view.node.server) == ("accelerator", 8, expectation.node.server)
    assert [(link.fabric, link.port, link.gbps) for link in view.links] == [
        (*link[:1], link.port, link.gbps) for link in expectation.links
    ]
    words = {f"{view.links[0].cable}", f"{view.links[0].remote_port:>9}", str(view.links[0].remote_device)}
    assert words == {f"{MARK}own{MARK}"}


def test_a_sentence_names_its_node() -> None:
    finding = Finding(outcome=Outcome.FAIL, observed="", expected="", source="", says=f"{SUBJECT}: of {SUBJECT}")
    assert sentence(finding, "n1") == "n1: of n1"


def numbers(column, *records) -> list[int]:
    """The number that a column has in each of some records."""
    shared = Numbers()
    places = []
    for record in records:
        columns = Columns(record, shared)
        slot = columns.slot(column)
        places.append(columns.find(slot))
        assert columns.known == {slot: places[-1]}
    return places


@pytest.mark.parametrize(
    ("name", "records", "expected"),
    [
        ("bytes", [[1, 2], [1, 2], [2, 1], [1]], [0, 0, 1, 2]),
        ("serial", ["ab", "ab", "cd"], [0, 0, 1]),
        ("=serial", ["ab", "cd", "aa", "bb", ["", "a"], ["b", ""]], [0, 0, 1, 1, 2, 3]),
    ],
)
def test_equal_columns_have_equal_numbers(name, records, expected) -> None:
    rows = [drives(*({name.lstrip("="): value} for value in values)) for values in records]
    assert numbers((PATH, name), *rows) == expected


def test_the_shape_of_a_record_is_a_column_too() -> None:
    records = [drives({}), drives({"bytes": 5}), drives({}, {}), drives()]
    assert numbers(((), "drives"), *records) == [0, 0, 1, 2]
    links = build.node_fabric().links
    fabrics = [NodeFabric(links=some) for some in (links, dict(list(links.items())[1:]), dict(reversed(links.items())))]
    assert numbers(((), "links"), *fabrics, fabrics[0]) == [0, 1, 2, 0]


def test_lists_in_a_record_are_compared_by_value() -> None:
    pci = build.healthy_record(Pci)
    device = pci.devices[0]
    paths = [["a"], ["a"], ["b"], ["a", "b"], []]
    records = [Pci(devices=[device.model_copy(update={"path": [*path]})]) for path in paths]
    assert numbers((("devices",), "path"), *records) == [0, 0, 1, 2, 3]
