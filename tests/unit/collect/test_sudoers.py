"""The allow-list of the account that collects evidence."""

import subprocess

import pytest

from rackwright.cli import main
from rackwright.collect import collector, sudoers
from rackwright.collect.output import Ask, Output
from rackwright.collect.wire import answer

ROOT = {name: entry for name, entry in collector.library().items() if entry.as_root}


@pytest.fixture
def limited_site(example_site, tmp_path):
    path = tmp_path / "site.yaml"
    text = example_site.read_text()
    path.write_text(text.replace("ssh: {user: root,", "ssh: {user: root, collect_user: evidence,"))
    assert path.read_text() != text
    return path


def test_visudo_takes_the_commands_of_every_collector():
    asks = [Ask(name, entry.seconds, entry.command, as_root=True) for name, entry in ROOT.items()]
    done = subprocess.run(
        ["visudo", "-cf", "-"], input=sudoers.fragment("evidence", asks).encode(), capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_what_needs_root_fits_on_a_line_of_sudoers_and_takes_no_shell_of_the_caller():
    for name, entry in ROOT.items():
        assert not any("\n" in word for word in entry.command), name
        assert entry.command[0] not in ("python3", "rackwright-burn"), name


def test_the_list_has_what_the_site_asks_as_root_and_nothing_else(limited_site, capsys):
    assert main.main(["sudoers", str(limited_site)]) == 0
    text = capsys.readouterr().out
    assert "evidence ALL=(root) TIMEOUT=20s NOPASSWD: /usr/local/sbin/dmidecode --type 17, " in text
    assert "-name nvme\\[0-9\\]\\* -printf \\\\\\\\n%p" in text
    for absent in ("python", "nvidia-smi", "amd-smi", "NOPASSWD: ALL", "lscpu"):
        assert absent not in text


def test_without_an_account_of_its_own_there_is_no_list(example_site, capsys):
    assert main.main(["sudoers", str(example_site)]) == 1
    assert "declare one as control.ssh.collect_user" in capsys.readouterr().err


@pytest.mark.parametrize("account", ["root", "ops"])
def test_an_account_with_all_rights_is_refused(example_site, tmp_path, capsys, account):
    path = tmp_path / "site.yaml"
    path.write_text(example_site.read_text().replace("{user: root,", f"{{user: ops, collect_user: {account},"))
    assert main.main(["check", str(path)]) == 1
    assert "neither root nor control.ssh.user" in capsys.readouterr().err


def test_a_refusal_of_sudo_is_an_error_of_the_reading():
    ask = Ask("memory", 5.0, ("dmidecode", "--type", "17"), as_root=True)
    line = b'{"id": "memory", "rc": 1, "stdout": "", "stderr": "", "seconds": 0.1, "error": "sudo refused", "tool": "", "clock": ""}'
    output = answer("train-001", [ask], line)
    assert isinstance(output, Output)
    assert output.error.startswith("sudo does not let this user run dmidecode as root: ")
