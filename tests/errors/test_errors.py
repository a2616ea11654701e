"""Site files with mistakes, and the exact text of their problems."""

from __future__ import annotations

from pathlib import Path

import pytest

from rackwright import design, spec
from rackwright.base.errors import ProblemsError
from rackwright.locality import gangs

FOLDER = Path(__file__).parent
SITES = sorted(FOLDER.glob("*.yaml"))


def message(file: Path) -> str:
    try:
        loaded = spec.load(file)
        try:
            expanded = design.expand(loaded.site, loaded.catalog)
        except ProblemsError as error:
            raise loaded.located(error.problems) from error
        if problems := gangs.problems(expanded):
            raise loaded.located(problems)
    except ProblemsError as error:
        return str(error).replace(f"{FOLDER}/", "") + "\n"
    bad = [verdict for verdict in design.rules.run_rules(expanded) if verdict.outcome not in ("pass", "not_run")]
    return "".join(
        f"{entry.outcome.upper()} {entry.check} {entry.target}: {entry.says}\n    next: {entry.next_step}\n"
        for entry in bad
    )


@pytest.mark.parametrize("file", SITES, ids=lambda file: file.stem)
def test_message(file: Path, golden):
    text = message(file)
    assert text, f"{file.name} has no mistake"
    golden(file.with_suffix(".txt"), text)


def test_no_golden_file_without_a_site():
    assert {path.stem for path in FOLDER.glob("*.txt")} == {path.stem for path in SITES}
