"""The catalogues of error codes: no code has two actions, every action has an outcome, and texts are decoded."""

import pytest

from rackwright.base import content, tables
from rackwright.error_codes import nvlink
from rackwright.error_codes import xid as fault_codes
from rackwright.model.evidence.kernel_log import KernelLog, SwitchError, Xid
from tests import build

TIME = "2026-11-21T08:41:07+0000"


def log(*xids):
    return KernelLog(begins=TIME, xids=list(xids), switch_errors=[], bus_errors=[])


def xid(code, text="", bus="0000:4e:00"):
    return Xid(time=TIME, bus_id=bus, code=code, text=text)


def action(error, *further, **part):
    return fault_codes.xid_action(build.expectation(part=part), log(error, *further), error)


def rows(file, key, kind):
    path = content.folder("validators", "xid", f"{file}.yaml")
    return [row.record for row in tables.load_tables(path, {"catalogue": nvlink.TableSource, key: kind})[key]]


def test_no_code_has_two_actions_in_one_generation():
    pairs = [
        (entry.code, generation)
        for entry in rows("xid", "codes", fault_codes.XidCode)
        for generation in entry.generations
    ]
    assert len(pairs) == len(set(pairs))
    listed = [code for entry in rows("sxid", "classes", fault_codes.SwitchClass) for code in entry.codes]
    assert len(listed) == len(set(listed))


def test_every_action_has_an_outcome():
    decoded = {fault_codes.NVLINK5, fault_codes.DRIVER, fault_codes.ALONE}
    actions = {entry.action for entry in rows("xid", "codes", fault_codes.XidCode)} - decoded
    actions |= {entry.action for entry in nvlink.load_nvlink5()[2]} - decoded
    actions |= {entry.action for entry in nvlink.load_nvlink4()[1]}
    actions |= {entry.action for entry in rows("sxid", "classes", fault_codes.SwitchClass)}
    actions |= {"restart_fabric_manager", "monitor"}
    with_outcome = {row.record.match["action"] for row in build.limit_table().by_metric["xid.outcome"]}
    assert actions == with_outcome


def test_the_version_of_a_catalogue_is_in_its_source():
    assert fault_codes.load_catalogues().sources["xid"].startswith("NVIDIA Xid catalogue 610, 2026-11-21: ")


@pytest.mark.parametrize(
    ("code", "expected"), [(79, "restart_node"), (63, "ignore"), (13, "restart_app"), (500, "unknown")]
)
def test_an_action_is_that_of_the_catalogue(code, expected):
    assert action(xid(code)) == expected


def test_a_code_of_another_generation_is_unknown():
    assert action(xid(149, "NETIR_LINK_EVT Fatal XC0 i0 Link 09 (0x1 0x0)")) == "unknown"
    assert action(xid(74, "link 14(0x0)"), architecture="blackwell") == "unknown"


def test_registers_of_older_links_are_not_decoded():
    text = "NVLink: fatal error detected on link 6(0x40000000, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0)"
    assert action(xid(74, text)) == "ignore"
    assert action(xid(74, text), architecture="ampere") == "workflow_nvlink"


def test_an_error_of_nvlink5_outside_of_the_catalogue_is_not_guessed():
    error = xid(149, "NETIR_LINK_EVT Fatal XC0 i0 Link 09 (0x02f001c6 0x00000000)")
    assert action(error, architecture="blackwell") == "unknown"


def test_a_site_overrides_the_catalogue():
    row = build.row(build.limit("xid.action", match={"code": "63"}, value="reset_gpu", unit="action"))
    table = build.judge.LimitTable((), (row,))
    expected = build.replace(build.expectation(), limits=table)
    assert fault_codes.xid_action(expected, log(xid(63)), xid(63)) == "reset_gpu"


def test_a_cleanup_counts_only_alone():
    assert action(xid(45)) == "restart_fabric_manager"
    assert action(xid(45), xid(79)) == "ignore"
    assert action(xid(45), xid(79, bus="0000:5f:00")) == "restart_fabric_manager"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)", (True, "GPU Reset Required")),
        ("pid=1, GPU recovery action changed from 0x1 (PF FLR) to 0x0 (None)", (False, "None")),
        ("(", None),
    ],
)
def test_advice_is_read_from_the_text(text, expected):
    assert fault_codes.requested_action(text) == expected


def test_an_unlisted_code_of_an_nvswitch_follows_the_word_beside_it():
    error = SwitchError(time=TIME, switch=0, bus_id="0000:05:00.0", code=28006, fatal=False, text="Link 46 x")
    assert fault_codes.switch_action(error) == "monitor"
    assert fault_codes.switch_action(error.model_copy(update={"fatal": True})) == "reset_gpu"
