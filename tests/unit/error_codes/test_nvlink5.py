"""Xid 144 to 150: every recorded line is decoded as the catalogue says, and no word of bits leads to two actions."""

import itertools
from pathlib import Path

import pytest

from rackwright.base import content, yaml_text
from rackwright.error_codes import nvlink

RECORDED = yaml_text.load(Path(__file__).parents[2].joinpath("cases", "xid", "nvlink5.yaml").read_text())["lines"]


def test_the_two_layouts_and_all_rows_never_contradict_each_other():
    """Conflict test: two rows that one line could fit ask for the same, whatever the driver's version."""
    _, units, _ = nvlink.load_nvlink5()
    rows = [
        (name, rule, mask)
        for unit in units
        for name in unit.names
        for rule in nvlink.rules_of(unit)
        for mask in nvlink.masks(unit, rule)
    ]
    for (name, first_rule, mask), (other_name, second_rule, other_mask) in itertools.combinations(rows, 2):
        if (first_rule.code, name) != (second_rule.code, other_name) or first_rule.action == second_rule.action:
            continue
        status = (
            not first_rule.status
            or not second_rule.status
            or {int(word, 16) for word in first_rule.status} & {int(word, 16) for word in second_rule.status}
        )
        bits = all(a == b or "-" in (a, b) for a, b in zip(mask, other_mask, strict=True))
        assert not (status and bits), f"{first_rule.code} {name}: {first_rule} and {second_rule}"


def test_every_unit_has_rules_and_every_rule_its_unit():
    _, units, rules = nvlink.load_nvlink5()
    named = {(unit.code, unit.names[-1]) for unit in units}
    assert {(rule.code, rule.unit) for rule in rules} == named
    assert {code for code, _ in named} == set(range(144, 151))
    for unit in units:
        assert (len(unit.before), len(unit.since)) == (10, 7)
        assert all(len(mask) == 32 for rule in nvlink.rules_of(unit) for mask in nvlink.masks(unit, rule))


def test_the_table_has_as_many_rows_as_the_catalogue():
    """Rows of NVIDIA's sheet by code; "decode for action 2" counts as rows of its own, and two statuses of one row as two."""
    count = dict.fromkeys(range(144, 151), 0)
    for rule in nvlink.load_nvlink5()[2]:
        count[rule.code] += max(1, len(rule.status)) * len(rule.reason)
    assert count == {144: 6, 145: 33 + 3, 146: 20, 147: 2, 148: 1, 149: 31, 150: 2 + 1}


@pytest.mark.parametrize("line", RECORDED, ids=[line["text"][:60] for line in RECORDED])
def test_a_recorded_line_is_decoded(line):
    error = nvlink.decode_error(line["code"], line["text"])
    assert (error.unit, error.action, error.then) == (line["unit"], line["action"], line["then"])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "NETIR_LINK_EVT Fatal XC0 i0 Link 09",
        "NETIR_LINK_EVT Fatal XC0 i0 Link 09 (0x02f525c6 0x00000000)",
        "RLW_SRC_TRACK Fatal XC0 i1 Link 00 (0x00000001 0x00000002)",
        "SAW_MVB Fatal XC0 i0 Link 00 (0x00000001 0x00000040)",
        "NO_SUCH_UNIT Fatal XC0 i0 Link 00 (0x00000001 0x00000001)",
    ],
    ids=["nothing", "no bits", "reason", "bits of another unit", "status", "unit"],
)
def test_what_the_catalogue_does_not_list_is_not_decoded(text):
    assert all(nvlink.decode_error(code, text) is None for code in range(144, 151))


def test_the_source_names_the_sheet():
    assert "sheet Xid 144-150 Decode" in nvlink.load_nvlink5()[0].source
    assert content.folder("validators", "xid", "nvlink5.yaml").is_file()
