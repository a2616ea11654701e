from __future__ import annotations

import pytest

from rackwright.base.errors import ProblemsError
from rackwright.spec.parse import MAX_VALUES, parse_yaml


def refused(text: str) -> list[tuple[str, str]]:
    try:
        _, problems = parse_yaml(text, "f")
    except ProblemsError as error:
        problems = list(error.problems)
    return [(problem.place, problem.code) for problem in problems]


def test_lines_of_keys_and_of_what_is_missing():
    root, problems = parse_yaml("a: 1\nb:\n  - c: 2\n    d: {e: 3}\n", "f")
    assert problems == []
    assert root.plain() == {"a": 1, "b": [{"c": 2, "d": {"e": 3}}]}
    assert root.line_of(("b", 0, "d", "e")) == 4
    assert root.line_of(("b", 0, "x")) == 3
    assert root.line_of(("b", 7)) == 2
    assert root.line_of(("nowhere",)) == 1


def test_anchors_and_merges_are_plain_data():
    root, _ = parse_yaml("a: &x {p: 1, q: 2}\nb: {<<: *x, q: 3}\nc: *x\n", "f")
    assert root.plain() == {"a": {"p": 1, "q": 2}, "b": {"p": 1, "q": 3}, "c": {"p": 1, "q": 2}}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [("f:1", "spec.empty")]),
        ("# nothing\n", [("f:1", "spec.empty")]),
        ("~", [("f:1", "spec.empty")]),
        ("- a", [("f:1", "spec.not_a_mapping")]),
        ("42", [("f:1", "spec.not_a_mapping")]),
        ("a: [1\nb: 2}", [("f:2", "spec.yaml_syntax")]),
        ("a:\n\t- b", [("f:2", "spec.yaml_syntax")]),
        ('a: "\\ud800"', [("f:1", "spec.yaml_syntax")]),
        ("a: 1\n---\nb: 2", [("f:2", "spec.two_documents")]),
        ("a: 1\na: 2", [("f:2", "spec.duplicate_key")]),
        ("? [a]\n: b", [("f:1", "spec.bad_key")]),
        ("a: !!python/object/apply:os.system [ls]", [("f:1", "spec.tag")]),
        ("a: !thing b", [("f:1", "spec.tag")]),
        ("a: &a [*a]", [("f:1", "spec.unknown_alias")]),
        ("a: *b", [("f:1", "spec.unknown_alias")]),
        ('a: "\\e[31m"', [("f:1", "spec.not_text")]),
        ("a: .inf\nb: 99999999999999999999", [("f:1", "spec.not_finite"), ("f:2", "spec.huge_number")]),
        ("a: " + "[" * 100_000, [("f:1", "spec.too_deep")]),
        ("a: &a [[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]\nb: [[[[[[[[[[[[*a]]]]]]]]]]]]", [("f:2", "spec.too_deep")]),
    ],
)  # fmt: skip
def test_what_is_not_a_site_file(text, expected):
    assert refused(text) == expected


def test_an_alias_bomb_is_refused_before_it_is_written_out():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 12)]
    assert refused("\n".join(lines)) == [("f:6", "spec.too_large")]
    assert refused("a: [" + "x," * (MAX_VALUES + 1) + "]") == [("f:1", "spec.too_large")]
