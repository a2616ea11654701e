"""Recorded output of real tools: every file below tests/cases/collectors is one test."""

import contextlib
from pathlib import Path

import pytest
import yaml

from rackwright.collect import collector

YAML = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
CASES = Path(__file__).parents[2] / "cases" / "collectors"
FILES = sorted(CASES.rglob("*.yaml"))


def plain(value):
    return [record.model_dump() for record in value] if isinstance(value, list) else value.model_dump()


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_recorded_output(path):
    case = yaml.load(path.read_text(), Loader=YAML)
    parse = collector.library()[path.parent.name].parse
    if "error" in case:
        with pytest.raises(collector.ParseError) as refused:
            parse(case["output"])
        assert str(refused.value) == case["error"]
    else:
        assert plain(parse(case["output"])) == case["evidence"]


@pytest.mark.parametrize("identity", sorted(collector.library()))
def test_every_collector_has_recorded_output_that_parses(identity):
    cases = [yaml.load(path.read_text(), Loader=YAML) for path in (CASES / identity).glob("*.yaml")]
    assert any("evidence" in case for case in cases)
    assert any("error" in case for case in cases)


NOISE = ("", "\n", "Segmentation fault\n", "\x00\ufffd\n", "{", "== \n", "Id=x\n", "[1]\n", "a\tb\n")


@pytest.mark.parametrize("identity", sorted(collector.library()))
def test_noise_is_a_parse_error_or_a_record_and_nothing_else(identity):
    for noise in NOISE:
        with contextlib.suppress(collector.ParseError):
            assert plain(collector.library()[identity].parse(noise)) is not None, repr(noise)


def test_a_parse_error_names_line_and_text_and_stays_short():
    error = collector.ParseError(3, "x" * 500, "a number")
    assert str(error).startswith("line 3: expected a number, found 'xxx")
    assert len(str(error)) < 200
