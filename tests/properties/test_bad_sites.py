"""Whatever is done to a site file, the answer is a design or a refusal with lines; never a traceback."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import yaml
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from rackwright import design, spec
from rackwright.base import yaml_text
from rackwright.base.errors import ProblemsError
from tests.examples import examples

EXAMPLE = Path(__file__).resolve().parents[2] / "inventories" / "h100-pod" / "site.yaml"
TEXT = EXAMPLE.read_text()
DATA = yaml_text.load(TEXT)
DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
NASTY = [None, [], {}, "", "x", 0, -1, 1, 3, 10**9, 10**14, 1e300, 0.5, True, [1], {"a": 1}, [[]], "\x07", "é" * 40]


def paths(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [at] * bool(at) + [path for key, inner in entries for path in paths(inner, (*at, key))]


def put(data: Any, path: tuple[Any, ...], value: Any) -> None:
    for step in path[:-1]:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return
    if isinstance(data, dict) or (isinstance(data, list) and path[-1] in range(len(data))):
        data[path[-1]] = value


def check_answered(file: Path) -> None:
    try:
        loaded = spec.load(file)
        try:
            design.plan_site(loaded.site, loaded.catalog)
        except ProblemsError as error:
            raise loaded.located(error.problems) from error
    except ProblemsError as error:
        for problem in error.problems:
            assert int(problem.place.removeprefix(f"{file}:")) >= 1
            assert all([problem.message, problem.expected, problem.found, problem.next_step, problem.code])
            assert str(problem).replace("\n", "").isprintable()


@given(changes=st.lists(st.tuples(st.sampled_from(paths(DATA)), st.sampled_from(NASTY)), min_size=1, max_size=4))
@examples(200, suppress=(HealthCheck.function_scoped_fixture,))
def test_any_value_anywhere(tmp_path, changes):
    data = copy.deepcopy(DATA)
    for path, value in changes:
        put(data, path, value)
    file = tmp_path / "site.yaml"
    file.write_text(yaml.dump(data, Dumper=DUMPER, allow_unicode=True))
    check_answered(file)


@given(at=st.integers(0, len(TEXT)), length=st.integers(0, 60), junk=st.binary(max_size=8))
@examples(200, suppress=(HealthCheck.function_scoped_fixture,))
def test_any_bytes_anywhere(tmp_path, at, length, junk):
    raw = TEXT.encode()
    file = tmp_path / "site.yaml"
    file.write_bytes(raw[:at] + junk + raw[at + length :])
    check_answered(file)
