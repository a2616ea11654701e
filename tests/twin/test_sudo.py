"""The probe of an account that is not root, and a real sudo with the list that is printed for it."""

import base64
import json
import shlex
import subprocess

import pytest

from rackwright.collect import collector, probe_build, sudoers, wire
from rackwright.collect.output import Ask
from tests.patience import PATIENCE

pytestmark = pytest.mark.twin

USER = "nobody"
LIMITED = f'exec setpriv --reuid={USER} --regid=nogroup --clear-groups sh -c "$0"'
COLLECTORS = {name: entry for name, entry in collector.library().items() if entry.as_root and entry.scope != "group"}
ASKS = [Ask(name, entry.seconds, entry.command, as_root=True) for name, entry in COLLECTORS.items()]
ROOT_ONLY = Ask("secret", 5.0, ("cat", "/etc/shadow"), as_root=True)
ANYHOW = Ask("anyhow", 5.0, ("id", "-un"), as_root=True, without_root=True)


def limited(command: str, listed: list[Ask], sent: bytes = b"") -> bytes:
    """What `command` prints for the account, in a mount namespace whose sudo has the list and nothing else."""
    install = 'mount -t tmpfs -o mode=0755 tmpfs /etc/sudoers.d && (umask 0227; printf %s "$1" > /etc/sudoers.d/list); cd /tmp; '
    words = ["unshare", "--mount", "sh", "-c", install + LIMITED, command, sudoers.fragment(USER, listed)]
    return subprocess.run(words, input=sent, capture_output=True, timeout=PATIENCE, check=False).stdout


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """By question: what the probe says, with all commands on the list and one that is not."""
    zipapp = probe_build.build_probe(tmp_path_factory.mktemp("probe")).read_bytes()
    printed = limited(wire.COMMAND, ASKS, wire.probe_bytes(zipapp, [*ASKS, ROOT_ONLY, ANYHOW]))
    return {line["id"]: line for line in map(json.loads, printed.splitlines())}


def test_sudo_lets_every_command_of_the_list_run(answers):
    assert set(COLLECTORS) < set(answers)
    assert [name for name in COLLECTORS if answers[name]["error"] == "sudo refused"] == []
    assert answers["lspci"]["rc"] == 0


def test_a_command_that_is_not_on_the_list_is_refused(answers):
    assert (answers["secret"]["error"], answers["secret"]["stdout"]) == ("sudo refused", "")


def test_what_says_less_without_root_is_run_all_the_same(answers):
    assert (answers["anyhow"]["error"], answers["anyhow"]["rc"]) == (None, 0)
    assert base64.b64decode(answers["anyhow"]["stdout"]) == f"{USER}\n".encode()


def test_a_program_cut_into_file_names_reads_no_file_of_the_account():
    """For sudo `awk 'FILENAME ~ /x/'` and `awk FILENAME '~' /x/` are the same, and the second reads a file beside the caller."""
    cut = shlex.join(piece for word in COLLECTORS["tuning"].command for piece in word.split(" "))
    printed = limited(f'cd "$(mktemp -d)" && ln -s /etc/shadow "~" && sudo -n {cut} 2>&1', ASKS)
    assert b"awk: " in printed
    assert b"root:" not in printed
