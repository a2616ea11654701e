"""A real sshd on loopback, and small probes that behave as badly as a test wants."""

import getpass
import shutil
import socket
import subprocess
import zipapp
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from rackwright.collect.transports import fleet
from rackwright.model.access import Access, Secret
from tests.patience import until
from tests.ports import free_port

CONFIGURATION = """\
Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host
AuthorizedKeysFile {folder}/user.pub
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication no
MaxStartups 200
"""


@dataclass
class Sshd:
    folder: Path
    port: int
    access: Access

    def host(self, *asks, node="train-001"):
        return fleet.FleetHost(node, "127.0.0.1", tuple(asks), self.port)


def keygen(path):
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path], check=True)


def access_for(folder):
    return Access(
        getpass.getuser(), folder / "user", folder / "known_hosts", "admin", Secret("secret"), None, limited=True
    )


def _listens(port):
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def serve(folder, extra="", under=()):
    """An sshd of its own in `folder`; `extra` are further lines of its configuration, and `under` is a command that runs it."""
    program = shutil.which("sshd", path="/usr/sbin:/usr/bin")
    if program is None:
        pytest.skip("needs openssh-server")
    keygen(folder / "host")
    keygen(folder / "user")
    port = free_port()
    (folder / "sshd_config").write_text(CONFIGURATION.format(port=port, folder=folder) + extra)
    kind, key = (folder / "host.pub").read_text().split()[:2]
    (folder / "known_hosts").write_text(f"[127.0.0.1]:{port} {kind} {key}\n")
    Path("/run/sshd").mkdir(exist_ok=True)
    process = subprocess.Popen([*under, program, "-D", "-e", "-f", folder / "sshd_config"], stderr=subprocess.DEVNULL)
    until(lambda: _listens(port), "sshd does not start")
    yield Sshd(folder, port, access_for(folder))
    process.terminate()
    process.wait()


@pytest.fixture(scope="session")
def sshd(tmp_path_factory):
    with serve(tmp_path_factory.mktemp("sshd")) as running:
        yield running


@pytest.fixture
def probe(tmp_path):
    """Packs a program as a probe and returns its bytes."""

    def pack(program):
        source = tmp_path / "probe"
        source.mkdir(exist_ok=True)
        (source / "__main__.py").write_text(program)
        zipapp.create_archive(source, tmp_path / "probe.pyz")
        return (tmp_path / "probe.pyz").read_bytes()

    return pack
