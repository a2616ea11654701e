import pytest

from rackwright.base import elevation

STEP = "put `ops ALL=(ALL) NOPASSWD: ALL` into /etc/sudoers.d/ops there"


def test_root_is_root_and_others_ask_sudo():
    assert elevation.as_root("root", ("id",)) == ["id"]
    assert elevation.as_root("ops", ("id",)) == ["sudo", "-n", "id"]


@pytest.mark.parametrize(
    "words",
    [
        "sudo: a password is required",
        "Could not chdir to home directory /home/ops\nsudo: sorry, you must have a tty to run sudo",
        "Sorry, user ops is not allowed to execute '/usr/bin/true' as root on train-001.",
        "ops is not in the sudoers file.",
        "bash: line 1: sudo: command not found",
        "sh: 1: exec: sudo: not found",
    ],
)
def test_a_refusal_has_the_next_step(words):
    assert STEP in elevation.refusal("ops", "10.0.0.1", words)
    assert elevation.refusal("root", "10.0.0.1", words) == ""


@pytest.mark.parametrize(
    "words",
    ["", "sudo: unable to resolve host train-001: Name or service not known", "slurm_update error: Invalid node"],
)
def test_what_a_command_itself_says_is_none(words):
    assert elevation.refusal("ops", "10.0.0.1", words) == ""
