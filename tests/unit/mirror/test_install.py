"""Installs from a synced mirror with the real apt, in an overlay of this machine whose changes are thrown away."""

import shutil
import subprocess
import tempfile

import pytest

from rackwright import mirror
from rackwright.twin import mirror as twin_mirror
from tests.bills import NVIDIA
from tests.patience import PATIENCE

from . import conftest

pytestmark = pytest.mark.twin

OVERLAY = """
set -eu
mount -t tmpfs tmpfs {folder}
mkdir {folder}/up {folder}/work {folder}/root
mount -t overlay overlay -o lowerdir=/,upperdir={folder}/up,workdir={folder}/work {folder}/root
cd {folder}/root
mount -t proc proc proc; mount --rbind /dev dev; mount -t tmpfs tmpfs run
rm -rf etc/apt/sources.list etc/apt/sources.list.d etc/apt/preferences.d var/lib/apt/lists var/cache/apt/archives
mkdir -p var/cache/apt/archives/partial etc/apt/preferences.d etc/apt/sources.list.d etc/apt/keyrings var/lib/apt/lists
cp {key} etc/apt/keyrings/rackwright.asc
echo 'deb [signed-by=/etc/apt/keyrings/rackwright.asc] {url} stable main' > etc/apt/sources.list.d/mirror.list
exec chroot . sh -eu
"""


@pytest.fixture(scope="module")
def upstream(tmp_path_factory):
    """The repository of stub packages with the vendor's names, versions and dependencies."""
    return twin_mirror.build(tmp_path_factory.mktemp("cache"), NVIDIA, lambda _name, _data: None)


@pytest.fixture
def synced(upstream, tmp_path, serve, gpg):
    bench = conftest.Bench(tmp_path, serve(upstream).url, gpg)
    bench.key.write_bytes((upstream / twin_mirror.KEY_NAME).read_bytes())
    bench.asked = [
        conftest.software("nvidia-open", "580.173.02-*"),
        *(
            conftest.software(name, "580.173.02-*")
            for name in ("nvidia-driver*", "nvidia-kernel-*", "nvidia-modprobe*", "nvidia-smi*", "nvidia-persistenced", "libnvidia-ml1*", "libcuda1*")
        ),
        conftest.software("nvidia-fabricmanager", "580.173.02-*"),
        conftest.software("nvidia-container-toolkit", "1.20.0-*"),
    ]  # fmt: skip
    bench.sync()
    return bench


def on_host(synced, url, script):
    folder = tempfile.mkdtemp(dir="/dev/shm", prefix="rackwright-test-")
    set_up = OVERLAY.format(folder=folder, key=synced.to / mirror.PUBLIC_KEY, url=url)
    command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", set_up]
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(
            command, input="exec 2>&1\n" + script, env=environment, capture_output=True, text=True, timeout=PATIENCE
        )
    finally:
        shutil.rmtree(folder)
    return done.returncode, done.stdout + done.stderr


INSTALL = "apt-get update -qq && apt-get install -qq -y --no-install-recommends "


def test_a_host_installs_from_the_mirror(synced, serve):
    """The driver's kernel part wants a machine of the twin to be built on, so of it everything is fetched and nothing built."""
    server = serve(synced.to)
    script = """nvidia-container-toolkit nvidia-smi libnvidia-ml1 >/dev/null
        apt-get install -qq -y --no-install-recommends --download-only nvidia-open nvidia-fabricmanager >/dev/null
        ls /var/cache/apt/archives | grep -c -e nvidia-open_580 -e nvidia-kernel-open-dkms_580 -e nvidia-fabricmanager_580
        dpkg-query -W -f '${Package} ${Version}\\n' libnvidia-ml1 nvidia-smi nvidia-container-toolkit
    """
    code, text = on_host(synced, server.url, INSTALL + script)
    assert code == 0, text
    assert text.split("\n")[-5:-1] == [
        "3",
        "libnvidia-ml1 580.173.02-1",
        "nvidia-container-toolkit 1.20.0-1",
        "nvidia-smi 580.173.02-1",
    ]
    assert any("/by-hash/SHA256/" in path for path, _ in server.asked)


def test_a_host_refuses_a_mirror_that_was_changed(synced, serve):
    path = next(synced.to.glob("pool/*/*/nvidia-smi_*.deb"))
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    code, text = on_host(synced, serve(synced.to).url, INSTALL + "nvidia-open >/dev/null")
    assert code != 0
    assert "Hash Sum mismatch" in text
    assert [problem.place for problem in synced.verify()] == [str(path.relative_to(synced.to))]


def test_a_host_refuses_a_mirror_signed_by_a_stranger(synced, serve):
    text = (synced.to / "dists/stable/Release").read_bytes()
    (synced.to / "dists/stable/InRelease").write_bytes(synced.gpg.clearsign("other", text))
    code, message = on_host(synced, serve(synced.to).url, INSTALL + "nvidia-open >/dev/null")
    assert code != 0
    assert "is not signed" in message or "NO_PUBKEY" in message
