"""Every check can be turned red by a fault on some kind of site, and validators/FAULTS.md describes all faults."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from rackwright import judge
from rackwright.twin import faults

TEXT = (Path(__file__).parents[2] / "validators" / "FAULTS.md").read_text(encoding="utf-8")
ROWS = [line.split(" | ") for line in TEXT.splitlines() if line.startswith("| `")]
RED = {name for row in ROWS for cell in row[2:4] for name in re.findall(r"\*([a-z_]+\.[a-z0-9_]+)\*", cell)}
TABLES = [path for path in (Path(faults.__file__).parent / "tables").glob("*.py") if path.stem != "__init__"]
LOWER_CASE = {"slurmd", "munge", "nouveau", "nccl-tests", "nvbandwidth"}
"""Names of programs with which a summary may begin."""


def test_a_fault_turns_every_check_red() -> None:
    missing = sorted(set(judge.load_checks()) - RED)
    assert missing == [], "no fault in validators/FAULTS.md turns these red: add a fault that does, then `make faults`"


def test_the_published_summaries_are_those_of_the_faults() -> None:
    published = {(row[0].strip("| `"), row[1]) for row in ROWS}
    summaries = {(name, fault.summary) for name, fault in faults.load_faults().items() if fault.judged}
    assert published == summaries, "validators/FAULTS.md is not up to date: `make faults`"


def test_no_two_faults_have_the_same_summary() -> None:
    summaries = [fault.summary for fault in faults.load_faults().values()]
    assert sorted(summaries) == sorted(set(summaries))


def test_summaries_are_plain_sentences() -> None:
    summaries = [fault.summary for fault in faults.load_faults().values()]
    assert [text for text in summaries if text.endswith(".")] == []
    assert [text for text in summaries if not text[0].isupper() and text.split()[0] not in LOWER_CASE] == []


def test_a_fault_is_one_entry_in_one_table() -> None:
    """Each entry is a literal `Fault` in `FAULTS`, entries are sorted by name, and the loader finds all of them."""
    names = []
    for path in TABLES:
        tables = [node for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.Assign)]
        table = next(node.value for node in tables if ast.unparse(node.targets[0]) == "FAULTS")
        entries = [_literal_name(entry) for entry in table.elts] if isinstance(table, ast.Tuple) else []
        assert entries == sorted(entries), path.name
        names += entries
    assert sorted(names) == list(faults.load_faults())


def _literal_name(entry: ast.expr) -> str:
    assert isinstance(entry, ast.Call), f"{ast.unparse(entry)} is not an entry"
    assert ast.unparse(entry.func) == "Fault"
    return str(next(ast.literal_eval(keyword.value) for keyword in entry.keywords if keyword.arg == "name"))
