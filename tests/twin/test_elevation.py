"""An account that is not root, on a real sshd with a real sudo: everything runs as root, or one sentence says what to do."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from rackwright.base.errors import OutsideError
from rackwright.collect import probe_build
from rackwright.collect.launchers.launcher import Launch
from rackwright.collect.launchers.remote import RemoteHost
from rackwright.collect.output import Ask
from rackwright.collect.transports import fleet, ssh, ssh_connection
from rackwright.collect.transports.connection_limits import Patience
from rackwright.flow import ssh_runner
from rackwright.onboard import worker_bundle, worker_link
from rackwright.preflight import hosts
from rackwright.preflight.result import ProbeError
from tests.unit.collect.conftest import serve

pytestmark = pytest.mark.twin

USER = "nobody"
EVERYTHING, BY_PASSWORD = f"{USER} ALL=(ALL) NOPASSWD: ALL\n", f"{USER} ALL=(ALL) ALL\n"
WHO = ("sh", "-c", "id -u; test $(id -u) = 0")
REFUSAL = rf"127\.0\.0\.1: sudo does not let {USER} do everything as root without a password \(sudo: a password is required\): put "


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    """An sshd whose `nobody` has a shell, and the rules of `rules` alone."""
    folder = tmp_path_factory.mktemp("elevation")
    lines = [
        line.rpartition(":")[0] + ":/bin/sh" if line.startswith(f"{USER}:") else line
        for line in Path("/etc/passwd").read_text().splitlines()
    ]
    (folder / "passwd").write_text("\n".join(lines) + "\n")
    (folder / "rules").mkdir()
    mounts = 'mount --bind "$0/passwd" /etc/passwd && mount --bind "$0/rules" /etc/sudoers.d && exec "$@"'
    keys = f"AuthorizedKeysCommand /bin/cat {folder}/user.pub\nAuthorizedKeysCommandUser root\n"
    with serve(folder, keys, under=("unshare", "--mount", "sh", "-c", mounts, str(folder))) as running:
        running.access = replace(running.access, ssh_user=USER, limited=False)
        yield running


@pytest.fixture
def rules(host):
    def write(text):
        path = host.folder / "rules" / USER
        path.unlink(missing_ok=True)
        path.write_text(text)
        path.chmod(0o440)

    return write


@pytest.fixture
def run(host, monkeypatch):
    connect = ssh.connect
    monkeypatch.setattr(ssh_runner.ssh, "connect", lambda access, address: connect(access, address, host.port))
    return ssh_runner.runner(host.access, "127.0.0.1")


def ask(host):
    async def all_answers():
        zipapp = probe_build.build_probe(host.folder).read_bytes()
        arrivals = fleet.ask_hosts([host.host(Ask("who", 10.0, WHO))], host.access, zipapp)
        return [output async for arrival in arrivals for output in arrival.outputs]

    return asyncio.run(all_answers())[0]


@pytest.fixture
def log_in(host, monkeypatch):
    monkeypatch.setattr(hosts, "PORT", host.port)
    trust = ssh_connection.trust(host.access, Patience())
    return lambda: asyncio.run(hosts.log_in("127.0.0.1", trust, Patience(), [], 60.0))


def start(host, *, as_root):
    starter = RemoteHost("slurm-01", "127.0.0.1", host.access, host.port, as_root=as_root)
    return asyncio.run(starter.run(Launch("who", ("train-001",), WHO, 20.0, 0), [*WHO], "sh"))


def test_all_that_is_run_on_a_host_is_run_as_root(host, rules, run, log_in):
    rules(EVERYTHING)
    assert run(WHO)[:2] == (0, "0\n")
    assert (ask(host).error, ask(host).stdout) == ("", b"0\n")
    assert log_in().text.startswith("logged in")
    assert (start(host, as_root=True).rc, start(host, as_root=False).rc) == (0, 1)


def test_a_sudo_that_wants_a_password_is_said_with_the_next_step(host, rules, run, log_in):
    rules(BY_PASSWORD)
    with pytest.raises(OutsideError, match=REFUSAL):
        run(WHO)
    with pytest.raises(ProbeError, match=REFUSAL):
        log_in()
    sentences = [ask(host).error, start(host, as_root=True).error.replace("slurm-01", "127.0.0.1"), _worker(host)]
    assert len(set(sentences)) == 1
    assert f"put `{USER} ALL=(ALL) NOPASSWD: ALL` into /etc/sudoers.d/{USER} there" in sentences[0]


def _worker(host):
    """Why worker mode does not play."""
    trust = f"-o UserKnownHostsFile={host.access.known_hosts} -o GlobalKnownHostsFile=/dev/null -p {host.port}"
    reached = {"ansible_user": USER, "ansible_host": "127.0.0.1", "ansible_ssh_common_args": trust}
    link = worker_link.WorkerLink({**reached, "ansible_ssh_private_key_file": host.access.ssh_key})
    return link.play(worker_bundle.WorkerBundle(b"", "0" * 64, (3, 7)), b"", lambda _back: "").why
