"""Rows of the ledger that are changed, removed, added or moved behind rackwright's back, and a ledger that ends too early."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rackwright import collect
from rackwright.base.errors import OutsideError, ProblemsError
from rackwright.cli.main import main
from rackwright.ledger import Ledger, RoleEvent, SealedHead
from rackwright.ledger.chain import link_hash
from rackwright.model.gate import Decision, GroupDecision
from rackwright.model.node_state import DecidedState
from rackwright.model.repair import Part, PartEvent
from rackwright.model.verdict import Outcome, Verdict
from tests import build

NOW = datetime(2026, 11, 21, 8, tzinfo=UTC)
NODES = [f"train-{number:03d}" for number in range(1, 5)]
GPU = Part(serial="S3", kind="device", place="GPU 3", node="train-001")
PARTS = '[["device","GPU 3","S3"],["device","GPU 4","S4"]]'


def write(url: str) -> None:
    """A ledger with rows in each table; verdicts and decisions are those of a second judging."""
    ledger = Ledger(url, lambda: NOW)
    run = ledger.begin("h100-pod", "gate", {"nodes": "", "evidence": None})
    for check in ("gpu.ecc", "gpu.count"):
        with ledger.step(run, "judge") as step:
            ledger.record_verdicts(run, [verdict(node, check, outcome) for node in NODES for outcome in Outcome])
            step.detail = "judged"
        decisions = [Decision(node=node, accepted=node != NODES[2], blocking=[], reason=check) for node in NODES]
        racks = [
            GroupDecision(gate="rack", scope="rack", group=rack, open=True, passed=2, covered=2, reason=check)
            for rack in ("r1", "r2")
        ]
        ledger.record_decisions(run, decisions, racks, dict.fromkeys(NODES, DecidedState("d", "b", "580.1")))
    ledger.record_nodes(run, "collect", dict.fromkeys(NODES, ("", "9 records")))
    ledger.record_roles(run, [RoleEvent(node, "base", "Configure", "ok", 0.1, ("x",), "", NOW) for node in NODES])
    ledger.sight_parts(run, dict.fromkeys(NODES, PARTS), NOW.isoformat())
    ledger.record_parts(run, [PartEvent(**GPU.model_dump(), what="failed", at=NOW.isoformat(), check="gpu.ecc")])
    ledger.finish(run, "done")
    ledger.close()


def verdict(node: str, check: str, outcome: Outcome) -> Verdict:
    return Verdict(
        check=f"{check}.{outcome.value}", target=node, title="", outcome=outcome, observed="", expected="", source="",
        says="2 errors", evidence=["ab" * 32],
    )  # fmt: skip


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("ledger") / "ledger.db"
    write(f"sqlite:///{path}")
    return path


@pytest.fixture
def path(written: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(written, tmp_path / "ledger.db"))


def problems(path: Path, sealed: Sequence[SealedHead] = ()) -> list[tuple[str, str]]:
    """Places and messages of an audit."""
    ledger = Ledger(f"sqlite:///{path}")
    audit = ledger.audit(sealed)
    ledger.close()
    return [(problem.path, problem.message) for problem in audit.problems]


def attack(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as raw, raw:
        for statement in statements:
            raw.execute(statement)


def test_a_ledger_that_nobody_touched_is_intact(path: Path) -> None:
    ledger = Ledger(f"sqlite:///{path}")
    audit = ledger.audit([SealedHead("a bundle", ledger.head())])
    assert (audit.problems, audit.head, audit.links) == ((), ledger.head(), ledger.head().link)
    with closing(sqlite3.connect(path)) as raw:
        counts = [raw.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ATTACKED]
    assert (audit.rows, min(counts) > 0) == (sum(counts), True)


ATTACKED = {
    "runs": "the run 20261121T080000Z-",
    "steps": "the step judge of the site",
    "verdicts": "the verdict gpu.count.degraded on train-001",
    "passes": "the passes of train-001",
    "decisions": "the decision on train-001",
    "group_decisions": "the decision of the gate rack on rack r1",
    "decided_states": "the state of train-001 that was decided on",
    "onboard_events": "what the role base did on train-001",
    "sightings": "the parts of train-001",
    "part_events": "what happened to the part S3 in train-001 (failed)",
}
"""By table: the words for its first row."""


CHANGED_VALUES = {
    "DATETIME": "'2026-11-21 09:00:00.000000'",
    "JSON": "'[\"other\"]'",
    "BOOLEAN": "0",
    "INTEGER": "7",
    "FLOAT": "0.2",
}
"""By type of column: another value."""
NAMING = ("node", "serial", "what", "role", "step", "check", "gate", "scope", "group")
"""Columns that are part of the name of a row."""


@pytest.mark.parametrize("table", ATTACKED)
def test_each_value_of_a_row_that_was_edited_is_named(path: Path, table: str) -> None:
    with closing(sqlite3.connect(path)) as raw:
        kinds = {name: kind for _, name, kind, *_ in raw.execute(f"PRAGMA table_info({table})")}
    for name, kind in kinds.items():
        if name in ("id", "run"):
            continue
        value = CHANGED_VALUES.get(kind, "'other'")
        first = f"(SELECT min(rowid) FROM {table})"
        copy = Path(shutil.copy(path, path.with_name(f"{name}.db")))
        attack(copy, f'UPDATE {table} SET "{name}" = {value} WHERE rowid = {first}')
        [(place, message)] = problems(copy)
        assert place.startswith(f"{table}["), name
        assert message.partition(" was changed after it was written")[1], name
        assert name in NAMING or message.startswith(ATTACKED[table]), message


@pytest.mark.parametrize("table", list(ATTACKED)[1:])
def test_a_row_that_was_removed_or_added_is_named(path: Path, table: str) -> None:
    copy = Path(shutil.copy(path, path.with_name("more.db")))
    attack(path, f"DELETE FROM {table} WHERE id = (SELECT min(id) FROM {table})")
    [(place, message)] = problems(path)
    assert place.startswith(f"{table}[")
    assert message.startswith("a row of the run ")
    assert message.endswith(" was removed")
    with closing(sqlite3.connect(copy)) as raw:
        columns = ", ".join(f'"{name}"' for _, name, *_ in raw.execute(f"PRAGMA table_info({table})") if name != "id")
    attack(copy, f"INSERT INTO {table} ({columns}) SELECT {columns} FROM {table} LIMIT 1")
    [(place, message)] = problems(copy)
    assert place.startswith(f"{table}[")
    assert message.endswith(" that rackwright did not write")


def test_rows_in_another_order_are_named(path: Path) -> None:
    swap = "UPDATE decisions SET id = {} WHERE id = {}"
    with closing(sqlite3.connect(path)) as raw:
        first = raw.execute("SELECT min(id) FROM decisions").fetchone()[0]
    attack(path, swap.format(-1, first), swap.format(first, first + 1), swap.format(first + 1, -1))
    [(place, message)] = problems(path)
    assert (place, message.endswith(" stand in another order")) == (f"decisions[{first}]", True)


def test_a_decision_of_a_run_that_never_was_is_named(path: Path) -> None:
    attack(
        path,
        "INSERT INTO decisions (run, node, accepted, reason, recorded) VALUES ('r', 'ghost', 1, '', '2026-11-21 08:00:00.000000')",
    )
    [(_, message)] = problems(path)
    assert message == "a row of the run r that rackwright did not write"


def test_a_link_that_was_edited_or_removed_is_named(path: Path) -> None:
    copy = Path(shutil.copy(path, path.with_name("shorter.db")))
    attack(path, "UPDATE links SET covers = replace(covers, 'runs', 'runs ') WHERE id = 1")
    assert ("links[1]", "the link was changed after it was written") in problems(path)
    attack(copy, "DELETE FROM links WHERE id = 3")
    assert problems(copy)[0] == (
        "links[4]", "the link does not follow the one before it: a link was removed, added or moved"
    )  # fmt: skip


def test_an_end_that_was_cut_off_is_named_by_what_was_sealed_before(path: Path) -> None:
    """Rows and links together: the rest is whole in itself."""
    ledger = Ledger(f"sqlite:///{path}")
    sealed = [SealedHead("evidence/runs/r.jsonl", ledger.head())]
    ledger.close()
    last = sealed[0].head.link
    with closing(sqlite3.connect(path)) as raw:  # the last two: the outcome of the run, and a part that failed
        run, covers = raw.execute("SELECT run, (SELECT covers FROM links WHERE id = 1) FROM part_events").fetchone()
    assert run in covers
    attack(path, "UPDATE runs SET ended = NULL, outcome = NULL", "DELETE FROM part_events WHERE what = 'failed'",
           f"DELETE FROM links WHERE id > {last - 2}")  # fmt: skip
    assert problems(path) == []
    [(place, message)] = problems(path, sealed)
    assert (place, message) == (
        f"links[{last}]",
        f"evidence/runs/r.jsonl was sealed with this link, and the ledger ends at link {last - 2}: its end was cut off",
    )


def test_a_ledger_that_was_written_anew_is_named_by_what_was_sealed_before(path: Path, tmp_path: Path) -> None:
    sealed = SealedHead("handover/r", Ledger(f"sqlite:///{path}").head())
    write(f"sqlite:///{tmp_path / 'anew.db'}")
    assert problems(tmp_path / "anew.db") == []
    [(_, message)] = problems(tmp_path / "anew.db", [sealed])
    assert message == "it is not the link that handover/r was sealed with: the ledger was written anew"


def test_a_link_that_covers_nonsense_is_no_bug(path: Path) -> None:
    with closing(sqlite3.connect(path)) as raw:
        last, previous = raw.execute("SELECT id, hash FROM links ORDER BY id DESC LIMIT 1").fetchone()
    fits = link_hash(last + 1, previous, "[[1]]")
    attack(path, f"INSERT INTO links VALUES ({last + 1}, '[[1]]', '{previous}', '{fits}')")
    assert problems(path) == [(f"links[{last + 1}]", "the link cannot be read")]


def test_a_ledger_without_a_chain_is_covered_as_it_is(path: Path) -> None:
    """Of an earlier version: what it holds is the beginning."""
    later = ("links", "sightings", "group_decisions", "decided_states")
    attack(path, *[f"DROP TABLE {table}" for table in later], "UPDATE alembic_version SET version_num = '0004'")
    assert problems(path) == []
    attack(path, "UPDATE decisions SET accepted = 1")
    assert [message.partition(" (run")[0] for _, message in problems(path)] == ["the decision on train-003"]


UNREADABLE = {
    "steps": "started = 'soon'",
    "passes": "checks = '{'",
    "runs": "options = '{'",
    "verdicts": "evidence = '{'",
    "decisions": "recorded = 'soon'",
    "group_decisions": "recorded = 'soon'",
    "onboard_events": "changed = '['",
    "part_events": "at = 'soon'",
    "sightings": "at = 'soon'",
}


@pytest.mark.parametrize("table", UNREADABLE)
def test_a_row_that_cannot_be_read_is_no_bug(path: Path, table: str) -> None:
    attack(path, f"UPDATE {table} SET {UNREADABLE[table]} WHERE rowid = (SELECT min(rowid) FROM {table})")
    [(place, message)] = problems(path)
    assert (place.startswith(f"{table}["), message.startswith("a row of the run 20261121T080000Z-")) == (True, True)
    assert "cannot be read" in message


READERS = {
    "history": lambda ledger, run: ledger.history("train-001"),
    "roles": lambda ledger, run: ledger.roles(run),
    "runs": lambda ledger, run: ledger.runs("h100-pod", "gate"),
    "parts": lambda ledger, run: ledger.part_events(run, sightings=True),
    "nodes": lambda ledger, run: ledger.node_standings("h100-pod"),
    "groups": lambda ledger, run: ledger.group_standings("h100-pod"),
}


@pytest.mark.parametrize(
    ("reader", "table", "change"),
    [
        *(("history", table, UNREADABLE[table]) for table in ("steps", "verdicts", "passes", "decisions", "onboard_events", "part_events")),
        ("roles", "onboard_events", "changed = 'null'"),
        ("runs", "runs", "options = '[1]'"),
        ("parts", "part_events", "what = ''"),
        ("parts", "sightings", "at = 'soon'"),
        ("parts", "sightings", "parts = '[1'"),
        ("parts", "sightings", "parts = '[1]'"),
        ("nodes", "decisions", "recorded = 'soon'"),
        ("groups", "group_decisions", "recorded = 'soon'"),
    ],
)  # fmt: skip
def test_who_reads_such_a_row_names_it(path: Path, reader: str, table: str, change: str) -> None:
    with closing(sqlite3.connect(path)) as raw:
        [(run,)] = raw.execute("SELECT id FROM runs")
    attack(path, f"UPDATE {table} SET {change}")
    ledger = Ledger(f"sqlite:///{path}")
    with pytest.raises(ProblemsError) as error:
        READERS[reader](ledger, run)
    assert error.value.problems[0].path.startswith(f"{table}[")
    ledger.close()


def test_a_file_that_is_damaged_is_no_bug(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2] + b"\xff" * (len(content) - len(content) // 2))
    with pytest.raises(OutsideError, match="cannot be"):
        problems(path)


@pytest.fixture
def work(path: Path) -> Path:
    """A workspace: the ledger, and evidence that began when the ledger ended as it does."""
    ledger = Ledger(f"sqlite:///{path}")
    for hour, head in ((6, None), (7, None), (9, ledger.head())):
        with collect.Store(path.parent / "evidence", ledger=head).begin({}, NOW.replace(hour=hour)):
            pass
    ledger.close()
    return path.parent


def audited(capsys: pytest.CaptureFixture[str], work: Path, *argv: str) -> tuple[int, str]:
    capsys.readouterr()
    code = main(["audit", str(build.EXAMPLE), "--work", str(work), *argv])
    printed = capsys.readouterr()
    return code, printed.out + printed.err


def test_audit_says_what_is_proven(work: Path, capsys) -> None:
    code, text = audited(capsys, work)
    assert (code, text.splitlines()[1]) == (
        0,
        "1 heads sealed in evidence and 0 sealed in bundles stand in the chain",
    ), text
    code, text = audited(capsys, work, "--format", "json")
    document = json.loads(text)
    assert (code, document["problems"], document["evidence"]) == (0, [], 1)
    assert document["head"]["link"] == document["links"]


def test_audit_names_what_was_changed(work: Path, capsys) -> None:
    attack(work / "ledger.db", "UPDATE decisions SET accepted = 1")
    code, text = audited(capsys, work)
    assert (code, "the decision on train-003" in text, "1 problem found" in text) == (1, True, True), text
    code, text = audited(capsys, work, "--format", "json")
    [problem] = json.loads(text)["problems"]
    assert (code, problem["code"], problem["path"].startswith("decisions[")) == (1, "ledger.changed", True)


def test_audit_misses_an_end_that_evidence_saw(work: Path, capsys) -> None:
    attack(work / "ledger.db", "UPDATE runs SET ended = NULL, outcome = NULL", "DELETE FROM part_events WHERE what = 'failed'",
           "DELETE FROM links WHERE id > (SELECT max(id) - 2 FROM links)")  # fmt: skip
    code, text = audited(capsys, work)
    assert (code, ".jsonl was sealed with this link" in text, "its end was cut off" in text) == (1, True, True), text


def test_audit_looks_at_the_evidence_first(work: Path, capsys) -> None:
    """A head that was edited, or taken out together with its run."""
    [_, middle, last] = sorted((work / "evidence" / "runs").iterdir())
    content = last.read_text()
    last.write_text(content.replace('"link":', '"link":1'))
    code, text = audited(capsys, work)
    assert (code, "the entry was changed after it was written" in text) == (1, True), text
    last.write_text(content)
    middle.unlink()
    code, text = audited(capsys, work)
    assert (code, "before it was removed" in text) == (1, True), text


@pytest.mark.parametrize("content", [b"", b"{}", b"[" * 100_000])
def test_a_bundle_that_says_nothing_is_a_finding(work: Path, capsys, content: bytes) -> None:
    (work / "handover" / "r").mkdir(parents=True)
    (work / "handover" / "r" / "attestation.dsse.json").write_bytes(content)
    code, text = audited(capsys, work)
    assert (code, "the attestation is no envelope of rackwright" in text) == (1, True), text


def test_without_a_ledger_nothing_is_proven(tmp_path: Path, capsys) -> None:
    code, text = audited(capsys, tmp_path)
    assert (code, "holds no ledger: name the folder of the site with --work" in text) == (2, True), text
    assert list(tmp_path.iterdir()) == []
