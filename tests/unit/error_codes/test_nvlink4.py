"""Xid 74 of Hopper: its registers are decoded bit by bit, and no bit asks for two things."""

import pytest

from rackwright.error_codes import nvlink


def decoded(*registers):
    words = ", ".join(hex(register) for register in registers)
    return nvlink.decode_registers(f"pid='<unknown>', name=<unknown>, NVLink: fatal error detected on link 14({words})")


def test_no_bit_stands_in_two_rows():
    rows = nvlink.load_nvlink4()[1]
    bits = [(row.word, bit) for row in rows for bit in row.bits]
    assert len(bits) == len(set(bits))
    assert {row.word for row in rows} == {1, 3, 4, 5}
    assert all(0 <= bit < 32 for _, bit in bits)
    assert {row.action for row in rows} <= set(nvlink.GRAVITY)


@pytest.mark.parametrize(
    ("registers", "action", "then"),
    [
        # NVIDIA/NVSentinel syslog-health-monitor pkg/xid/parser/csv_test.go (2026)
        ((0x0, 0x0, 0x10000, 0x0, 0x0, 0x0, 0x0), "workflow_nvlink", "run_field_diagnostics_if_repeated"),
        ((1 << 23, 0, 0, 0, 0, 0, 0), "ignore", "ignore"),
        ((1 << 0 | 1 << 30, 0, 0, 0, 1 << 20, 0, 0), "ignore", "ignore and run_field_diagnostics"),
        ((1 << 8 | 1 << 0, 0, 0, 0, 0, 0, 0), "check_mechanicals", "run_diagnostics"),
        ((1 << 21, 0, 0, 1 << 18, 0, 0, 0), "reset_all", "follow_other_errors"),
        ((0, 0, 1 << 2, 1 << 16, 0, 0, 0), "workflow_nvlink", "contact_support_if_repeated and follow_other_errors"),
    ],
)
def test_the_gravest_bit_decides(registers, action, then):
    error = decoded(*registers)
    assert (error.action, error.then) == (action, then)


@pytest.mark.parametrize("registers", [(0, 0, 0), (1 << 2, 0, 0), (1 << 23, 1, 0)], ids=["none", "bit", "register"])
def test_what_is_not_listed_is_not_decoded(registers):
    assert decoded(*registers) is None


@pytest.mark.parametrize("text", ["", "link 3", "link 14(0x0", "NVLink: fatal error detected"])
def test_a_text_without_registers_is_not_decoded(text):
    assert nvlink.decode_registers(text) is None
