import errno
import json

import pytest

from rackwright.cli.design import check
from rackwright.cli.main import main


def fail_with(monkeypatch, error):
    def fail(_args):
        raise error

    monkeypatch.setattr(check, "run", fail)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
def test_a_disk_without_room_is_no_bug_of_ours(monkeypatch, capsys, number):
    fail_with(monkeypatch, OSError(number, "No room", "/data/x"))
    assert main(["check", "site.yaml"]) == 1
    assert capsys.readouterr().err == "rackwright: No room (/data/x): make room, then run again\n"
    assert main(["check", "site.yaml", "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out) == {"error": "No room (/data/x): make room, then run again"}


def test_any_other_failure_of_the_system_is(monkeypatch, capsys):
    fail_with(monkeypatch, OSError(errno.EIO, "Input/output error"))
    assert main(["check", "site.yaml"]) == 3
    assert "this is a bug of rackwright: OSError: [Errno 5] Input/output error" in capsys.readouterr().err


def test_ctrl_c_is_130(monkeypatch, capsys):
    fail_with(monkeypatch, KeyboardInterrupt())
    assert main(["check", "site.yaml"]) == 130
    assert capsys.readouterr().err == "rackwright: interrupted; what was done so far is kept\n"
