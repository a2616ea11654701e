"""Site files with mistakes, and exactly what is said about them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rackwright import design, spec
from rackwright.base.errors import ProblemsError

FOLDER = Path(__file__).parent
SITES = sorted(FOLDER.glob("*.yaml"))


def said(file: Path) -> str:
    try:
        loaded = spec.load(file)
        try:
            made = design.expand(loaded.site, loaded.catalog)
        except ProblemsError as error:
            raise loaded.located(error.problems) from error
    except ProblemsError as error:
        return str(error).replace(f"{FOLDER}/", "") + "\n"
    bad = [verdict for verdict in design.rules.run(made) if verdict.outcome not in ("pass", "not_run")]
    return "".join(
        f"{one.outcome.upper()} {one.check} {one.target}: {one.says}\n    next: {one.next_step}\n" for one in bad
    )


@pytest.mark.parametrize("file", SITES, ids=lambda file: file.stem)
def test_message(file: Path, golden):
    message = said(file)
    assert message, f"{file.name} has no mistake"
    golden(file.with_suffix(".txt"), message)


def test_no_golden_file_without_a_site():
    assert {path.stem for path in FOLDER.glob("*.txt")} == {path.stem for path in SITES}
