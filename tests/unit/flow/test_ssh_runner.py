import pytest

from rackwright.base.errors import OutsideError
from rackwright.collect.transports import ssh
from rackwright.flow import ssh_runner
from tests.unit.collect.conftest import sshd as sshd


@pytest.fixture
def run(sshd, monkeypatch):
    """A runner on the loopback sshd, which listens on a port of its own; `opened` counts its connections."""
    opened = []

    def connect(access, address):
        opened.append(address)
        return real(access, address, sshd.port)

    real = ssh.connect
    monkeypatch.setattr(ssh_runner.ssh, "connect", connect)
    runner = ssh_runner.runner(sshd.access, "127.0.0.1")
    runner.opened = opened
    return runner


def test_status_and_both_outputs_come_back(run):
    assert run(["sh", "-c", "echo said; echo told >&2; exit 3"]) == (3, "said\n", "told\n")


def test_words_arrive_as_they_are(run):
    words = ["two words", "$HOME", "a;b", "'", '"', "", "*"]
    status, output, _ = run(["printf", "%s\\n", *words])
    assert (status, output) == (0, "".join(f"{word}\n" for word in words))


def test_one_connection_serves_all_calls_and_a_broken_one_is_opened_again(run):
    assert run(["true"])[0] == run(["false"])[0] - 1 == 0
    assert len(run.opened) == 1
    with pytest.raises(OutsideError, match=r"sh on 127\.0\.0\.1 was cut off \(the connection ended"):
        run(["sh", "-c", "kill -9 $PPID"])  # the sshd that serves this connection
    assert run(["echo", "again"])[1] == "again\n"
    assert len(run.opened) == 2


def test_a_lot_on_both_outputs_does_not_block(run):
    status, output, error = run(["sh", "-c", "head -c 3000000 /dev/zero >&2; head -c 3000000 /dev/zero"])
    assert (status, len(output), len(error)) == (0, 3_000_000, 3_000_000)


def test_a_command_that_never_ends_is_cut_off(run, monkeypatch):
    monkeypatch.setattr(ssh_runner, "COMMAND_SECONDS", 0.5)
    with pytest.raises(OutsideError, match=r"sleep on 127\.0\.0\.1 was cut off"):
        run(["sleep", "60"])


def test_a_host_that_does_not_answer_is_said_in_one_sentence(run, sshd, monkeypatch):
    monkeypatch.setattr(sshd, "port", 1)
    with pytest.raises(OutsideError) as refused:
        run(["true"])
    assert "\n" not in str(refused.value)
    assert "127.0.0.1" in str(refused.value)
