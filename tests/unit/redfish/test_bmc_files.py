from __future__ import annotations

from pathlib import Path

import pytest

from rackwright.base.errors import UsageError
from rackwright.model.resource import MachineIdentity
from rackwright.redfish.bmc_files import read_accounts, read_identities, read_pins

PIN = "ab" * 32


def _file(folder: Path, text: str, mode: int = 0o600) -> Path:
    path = folder / "file"
    path.write_text(text)
    path.chmod(mode)
    return path


def test_pins_with_and_without_colons(tmp_path: Path) -> None:
    text = f"# BMCs\n\n10.0.0.1 {PIN}\n10.0.0.2 {':'.join(['CD'] * 32)}\n"
    assert read_pins(_file(tmp_path, text)) == {"10.0.0.1": PIN, "10.0.0.2": "cd" * 32}


@pytest.mark.parametrize("line", ["10.0.0.1", "10.0.0.1 abc", f"10.0.0.1 {PIN[:-1]}x"])
def test_a_bad_pin_is_named_by_its_line(line: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"file:2: .* expected the 64 hex digits"):
        read_pins(_file(tmp_path, f"# BMCs\n{line}\n"))


def test_accounts(tmp_path: Path) -> None:
    account = read_accounts(_file(tmp_path, "10.0.0.1 root pass word\n"))["10.0.0.1"]
    assert (account.user, account.password.reveal()) == ("root", "pass word")
    assert "pass" not in repr(account)


def test_a_bad_account_is_named_without_what_it_holds(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"file:1: 2 words") as refused:
        read_accounts(_file(tmp_path, "10.0.0.1 hunter2\n"))
    assert "hunter2" not in str(refused.value)


def test_a_file_that_others_may_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="chmod 600"):
        read_accounts(_file(tmp_path, "10.0.0.1 root secret\n", 0o640))


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_accounts(tmp_path / "none")


def test_identities(tmp_path: Path) -> None:
    path = tmp_path / "machines"
    uuid = "4C4C4544-0035-3410-8050-C6C04F314733"
    path.write_text(f"# node serial uuid\ntrain-001 F54P1G3 {uuid}\ntrain-002 1A2B\n")
    assert read_identities(path) == {
        "train-001": MachineIdentity("F54P1G3", uuid.lower()),
        "train-002": MachineIdentity("1A2B"),
    }


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("train-002", "1 words, expected a node, a serial number"),
        ("train-002 X 4c4c4544", "expected a UUID"),
        ("train-002 1A2B", "serial number 1A2B stands in line 1 already"),
        ("train-001 3C4D", "node train-001 stands in line 1 already"),
    ],
)
def test_identities_that_cannot_be(tmp_path: Path, line: str, words: str) -> None:
    path = tmp_path / "machines"
    path.write_text(f"train-001 1A2B\n{line}\n")
    with pytest.raises(UsageError, match=f"machines:2: .*{words}"):
        read_identities(path)
