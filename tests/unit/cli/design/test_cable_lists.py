"""Workbooks for the trades, and lists of others held against the design."""

from __future__ import annotations

import csv
import io
import json
import zipfile

import openpyxl
import polars as pl
import pytest

from rackwright import catalog, export
from rackwright.cli.main import main
from rackwright.design import schedule
from rackwright.export.export_request import ExportRequest
from rackwright.export.netbox import cables as netbox_cables
from rackwright.flow import cable_differences, cable_list
from rackwright.model import port_spellings
from tests import build

DESIGN = build.site_design()


def written(tmp_path, rows, name="list.csv"):
    file = tmp_path / name
    stream = io.StringIO()
    csv.writer(stream, delimiter=";").writerows(rows)
    file.write_text(stream.getvalue(), encoding="utf-8-sig")
    return file


def listed_differences(path):
    return [(d.kind, d.line, d.subject, d.says) for d in cable_differences.differences(DESIGN, cable_list.read(path))]


@pytest.fixture(scope="module")
def workbook(tmp_path_factory):
    path = tmp_path_factory.mktemp("book") / "site.xlsx"
    cables = schedule.cables(DESIGN)
    request = ExportRequest(sheets={"pull schedule": cables, "labels": schedule.labels(cables)})
    [file] = export.export(DESIGN, "xlsx", request)
    with path.open("wb") as stream:
        file.write(stream)
    again = io.BytesIO()
    export.export(DESIGN, "xlsx", request)[0].write(again)
    assert again.getvalue() == path.read_bytes()
    return path


def test_a_workbook_has_the_bill_the_schedule_and_the_labels(workbook):
    book = openpyxl.load_workbook(workbook)
    assert book.sheetnames == ["bill of materials", "pull schedule", "labels"]
    rows = list(book["bill of materials"].values)
    assert list(rows[0]) == DESIGN.bill.columns
    assert [row[6] for row in rows[1:]] == DESIGN.bill["quantity"].to_list()


def test_what_looks_like_a_formula_is_text():
    hostile = ['=cmd|"/c calc"!A1', "+1+1", "-2+3", "@SUM(A1)", "http://x", "007"]
    [file] = export.export(DESIGN, "xlsx", ExportRequest(sheets={"labels": pl.DataFrame({"near": hostile})}))
    stream = io.BytesIO()
    file.write(stream)
    cells = [row[0] for row in openpyxl.load_workbook(stream)["labels"].iter_rows(min_row=2)]
    assert [cell.value for cell in cells] == hostile
    assert {cell.data_type for cell in cells} == {"s"}


def test_our_own_schedule_and_cables_of_netbox_agree_with_the_design(workbook, tmp_path):
    assert listed_differences(workbook) == []
    rows = netbox_cables.cables(DESIGN)
    rows.write_csv(tmp_path / "cables.csv")
    assert listed_differences(tmp_path / "cables.csv") == []


def test_each_difference_has_its_line(tmp_path):
    a, b, c = DESIGN.cables.head(3).iter_rows(named=True)
    ends = [(row["a_device"], row["a_port"], row["b_device"], row["b_port"]) for row in (a, b, c)]
    swapped = (*ends[0][:2], *ends[1][2:])
    rows = [
        ["Cables of the vendor"],
        ["From device *", "From port", "To device", "To port", "Part number", "Length (m)"],
        [*swapped, "", ""],
        [*ends[2], "other", f"{c['length_meters'] + 1:g} m"],
        [*reversed(ends[2]), "", ""],
        ["x", "1", "y", "1", "", ""],
        [*ends[2], "", ""],
    ]
    kinds = [(kind, line) for kind, line, *_ in listed_differences(written(tmp_path, rows)) if line]
    assert kinds == [("swapped", 3), ("part", 4), ("length", 4), ("extra", 5), ("extra", 6), ("twice", 7)]


def test_devices_and_cables_of_the_api_of_netbox(tmp_path, capsys):
    first, second = DESIGN.devices.head(2).iter_rows(named=True)
    devices = [
        {"name": first["device"], "rack": {"name": first["rack"]}, "position": float(first["unit"])},
        {"name": second["device"], "rack": {"name": "elsewhere"}, "position": None},
        {"name": "stranger", "rack": None, "position": None},
    ]
    file = tmp_path / "devices.json"
    file.write_text(json.dumps({"count": 3, "results": devices}))
    rows = [row[:3] for row in listed_differences(file) if row[1]]
    assert rows == [("rack", 2, second["device"]), ("extra", 3, "stranger")]
    row = DESIGN.cables.row(0, named=True)
    end = {side: {"object": {"device": {"name": row[f"{side}_device"]}, "name": row[f"{side}_port"]}} for side in "ab"}
    entry = {"label": "x", "a_terminations": [end["a"]], "b_terminations": [end["b"]], "length": row["length_meters"]}
    file = tmp_path / "cables.json"
    file.write_text(json.dumps([entry]))
    assert {kind for kind, *_ in listed_differences(file)} == {"missing"}
    assert main(["compare", str(build.EXAMPLE), str(file)]) == 1
    assert f"{DESIGN.cables.height - 1:,} differences to site" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.csv", b"one;two\n1;2\n", "lists no cable and no device"),
        ("a.csv", b"\xff\xfe\x00", "cannot be read as a list"),
        ("a.json", b"[" * 100_000, "cannot be read as a list"),
        ("a.json", b'{"results": 5}', "cannot be read as a list"),
        ("a.json", b'[{"a_terminations": 5, "b_terminations": []}]', "cannot be read as a list"),
        ("a.xlsx", b"no zip", "cannot be read as a list"),
        ("a.csv", b"a_device,a_port,b_device,b_port\n" + b'"' + b"x" * 200_000, "cannot be read as a list"),
    ],
)  # fmt: skip
def test_what_is_no_list_is_one_sentence(name, content, says, tmp_path, capsys):
    file = tmp_path / name
    file.write_bytes(content)
    assert main(["compare", str(build.EXAMPLE), str(file)]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert "expected a table with the columns" in error


def test_a_workbook_that_unpacks_to_too_much_is_not_opened(tmp_path, monkeypatch):
    file = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as book:
        for at in range(5):
            book.writestr(f"xl/{at}", b" " * (16 << 20))
    monkeypatch.setattr(openpyxl, "load_workbook", lambda *_, **__: pytest.fail("it was opened"))
    with pytest.raises(cable_list.UsageError, match="unpacks to more than 64 MiB"):
        cable_list.read(file)


def test_an_alias_is_not_written_out(tmp_path):
    lines = ["- &a0 [x, x]"] + [f"- &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 60)]
    file = tmp_path / "bomb.yaml"
    file.write_text(
        "bombs:\n"
        + "\n".join(lines)
        + "\nresults:\n- {name: *a59, rack: *a59, a_terminations: [], b_terminations: []}\n"
    )
    assert [entry.label for entry in cable_list.read(file).cables] == [""]


def test_a_workbook_needs_a_folder(tmp_path, capsys):
    assert main(["export", str(build.EXAMPLE), "--to", "xlsx"]) == 2
    assert "name a folder with --out" in capsys.readouterr().err
    assert main(["export", str(build.EXAMPLE), "--to", "xlsx", "--out", str(tmp_path)]) == 0
    assert openpyxl.load_workbook(next(tmp_path.glob("*.xlsx"))).sheetnames[1] == "pull schedule"


@pytest.mark.parametrize(
    ("system", "switch", "spelled"),
    [
        (None, "sn4700", {"swp2s1": ["Swp2s1", "2s1", "Ethernet12", "Eth 1/2/2", "etp2b"], "swp3": ["3", "Eth1/3", "1/3", "etp3"]}),
        ("eos", "arista-7060x6-64pe", {"Ethernet2/5": ["Et2/5", "2/5", "swp2s1", "eth1/2/2", "etp2b"], "Ethernet3/1": ["Et3/1"]}),
    ],
)  # fmt: skip
def test_a_port_is_the_same_by_the_name_of_any_system(system, switch, spelled):
    """The second half of port 2, and port 3 whole; names that could mean another port of the switch mean none."""
    part = catalog.load().switches[switch]
    ports = [*(part.lane_name(2, lane, 2) for lane in range(2)), part.lane_name(3, 0, 1), part.management_port]
    names = port_spellings.names(part, ports)
    for port, spellings in spelled.items():
        assert {names.get(port_spellings.key(spelling)) for spelling in [port, *spellings]} == {port}
    assert names.get(port_spellings.key("fourth")) is None


def test_a_port_that_nobody_calls_so_is_one_difference(tmp_path):
    row = next(DESIGN.cables.filter(pl.col("fabric") == "inband").iter_rows(named=True))
    heading = ["a_device", "a_port", "b_device", "b_port"]
    number = row["b_port"].removeprefix("swp")
    listed = [row["a_device"], row["a_port"], row["b_device"], f"Eth1/{number}"]
    assert [entry for entry in listed_differences(written(tmp_path, [heading, listed])) if entry[1]] == []
    listed[3] = "uplink one"
    [(kind, line, _, says)] = [
        entry
        for entry in listed_differences(written(tmp_path, [heading, listed]))
        if entry[1] or entry[2] == row["cable"]
    ]
    assert (kind, line) == ("port", 2)
    assert "is called uplink one; its ports are swp1, swp2" in says
