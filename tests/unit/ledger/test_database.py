import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from rackwright.base.errors import OutsideError, UsageError
from rackwright.ledger import Ledger, RoleEvent, database
from rackwright.ledger.tables import LedgerTable
from rackwright.model.verdict import Outcome
from tests.patience import PATIENCE
from tests.unit.ledger.test_ledger import verdict

PAIRS = [("gpu.count", Outcome.PASS), ("gpu.ecc", Outcome.FAIL)]
KILLED_IN_A_STEP = """
import os, signal, sys
from rackwright.ledger import Ledger
ledger = Ledger(sys.argv[1])
run = ledger.begin("h100-pod", "rehearse", {})
with ledger.step(run, "spec"):
    pass
with ledger.step(run, "provision"):
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_the_migrations_give_exactly_the_tables_in_code(tmp_path):
    engine = database.open_engine(f"sqlite:///{tmp_path / 'ledger.db'}")
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), LedgerTable.metadata) == []


def test_the_known_newest_revision_is_the_head_of_the_migrations():
    folder = Path(database.__file__).parent / "migrations"
    assert ScriptDirectory(str(folder)).get_current_head() == database.NEWEST


def test_kill_9_in_a_step_leaves_a_run_to_resume(tmp_path):
    url = f"sqlite:///{tmp_path / 'ledger.db'}"
    process = subprocess.run([sys.executable, "-c", KILLED_IN_A_STEP, url], timeout=PATIENCE, check=False)
    assert process.returncode == -signal.SIGKILL

    ledger = Ledger(url)
    run = ledger.unfinished("h100-pod", "rehearse")

    assert ledger.is_done(run.id, "spec")
    assert not ledger.is_done(run.id, "provision")
    assert [step.outcome for step in ledger.steps(run.id)] == ["done", "started"]
    with sqlite3.connect(tmp_path / "ledger.db") as raw:
        assert raw.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_processes_that_open_a_new_ledger_together_all_succeed(tmp_path):
    url = f"sqlite:///{tmp_path / 'ledger.db'}"

    def write(number):
        ledger = Ledger(url)
        run = ledger.begin("h100-pod", "collect", {"number": number})
        with ledger.step(run, "collect"):
            pass
        return run

    with ThreadPoolExecutor(4) as pool:
        runs = list(pool.map(write, range(8)))
    assert {run.id for run in Ledger(url).runs("h100-pod", "collect")} == set(runs)


def test_an_up_to_date_ledger_opens_without_alembic(tmp_path):
    url = f"sqlite:///{tmp_path / 'ledger.db'}"
    Ledger(url).close()
    program = (
        "import sys; from rackwright.ledger import Ledger; Ledger(sys.argv[1]); sys.exit('alembic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program, url], timeout=PATIENCE, check=False).returncode == 0


def test_a_ledger_of_a_newer_version_is_refused(tmp_path):
    path = tmp_path / "ledger.db"
    Ledger(f"sqlite:///{path}").close()
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(OutsideError, match="upgrade rackwright"):
        Ledger(f"sqlite:///{path}")


@pytest.mark.parametrize("url", ["ledger.db", "nosuchdb://x"])
def test_a_wrong_url_is_wrong_usage(url):
    with pytest.raises(UsageError, match="sqlite:///FILE"):
        Ledger(url)


def test_a_path_that_cannot_be_opened_is_said_in_one_sentence(tmp_path):
    with pytest.raises(OutsideError, match="cannot be opened"):
        Ledger(f"sqlite:///{tmp_path / 'missing' / 'ledger.db'}")


def test_a_file_that_is_no_database_is_said_in_one_sentence(tmp_path):
    (tmp_path / "ledger.db").write_text("this is not a database, and long enough to be read as one" * 40)
    with pytest.raises(OutsideError, match="not a database"):
        Ledger(f"sqlite:///{tmp_path / 'ledger.db'}")


@pytest.mark.postgres
def test_postgres_takes_the_same_schema_and_calls(postgres):
    ledger = Ledger(postgres)
    run = ledger.begin("h100-pod", "rehearse", {"nodes": 8})
    with ledger.step(run, "spec", node="train-001"):
        pass
    ledger.finish(run, "pass")
    verdicts = [verdict(node, check, outcome) for node in ("train-001", "train-002") for check, outcome in PAIRS]
    for _ in range(2):
        ledger.record_verdicts(run, verdicts)
    ledger.record_roles(run, [RoleEvent("train-001", "base", "Configure", "ok", 0.1, ("x",), "", datetime.now(UTC))])
    assert ledger.is_done(run, "spec", node="train-001")
    audited = ledger.audit()
    assert (audited.problems, audited.rows) == ((), 7)
    with database.open_engine(postgres).begin() as connection:
        connection.execute(text("UPDATE verdicts SET outcome = 'pass' WHERE node = 'train-002'"))
    assert [problem.message.partition(" (run")[0] for problem in ledger.audit().problems] == [
        "the verdict gpu.ecc on train-002"
    ]
    assert ledger.runs("h100-pod", "rehearse")[0].outcome == "pass"
    engine = database.open_engine(postgres)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), LedgerTable.metadata) == []
