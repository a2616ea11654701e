"""Programs on a host: what they say, their input, and what they leave behind."""

from __future__ import annotations

import os
import signal

import pytest

from tests.patience import PATIENCE


@pytest.fixture
def run(host_module):
    return host_module("rackwright_process").run_command


def test_status_output_and_errors_come_apart(run):
    assert run(["sh", "-c", "echo out; echo err >&2; exit 3"]) == (3, "out\n", "err\n")


def test_a_program_that_is_not_there_is_an_error_of_the_system(run):
    with pytest.raises(FileNotFoundError):
        run(["/no/such/program"])


def test_input_ends_with_a_newline_unless_it_is_binary(run):
    assert run(["cat"], data="nvidia hold")[1] == "nvidia hold\n"
    assert run(["cat"], data=b"nvidia", binary_data=True)[1] == "nvidia"
    assert run(["cat"])[1] == ""
    assert run(["true"], data="x" * 1_000_000)[0] == 0, "a program need not read its input"


def test_more_environment_is_beside_what_there_is(run, monkeypatch):
    monkeypatch.setenv("KEPT", "yes")
    assert run(["sh", "-c", "echo $KEPT $MORE"], environ_update={"MORE": "too"})[1] == "yes too\n"


def test_bytes_that_are_no_text_are_kept(run):
    assert run(["printf", "\\377"])[1].encode(errors="surrogateescape") == b"\xff"


def test_much_output_on_both_sides_is_read_to_its_end(run):
    code, out, err = run(["sh", "-c", "head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2"])
    assert (code, len(out), len(err)) == (0, 300000, 300000)


def test_a_daemon_that_keeps_the_output_open_holds_nobody_up(run):
    code, out, err = run(["sh", "-c", f"sleep {PATIENCE} & echo $!"])
    assert (code, err) == (0, "")
    os.kill(int(out), signal.SIGKILL)  # it still ran
