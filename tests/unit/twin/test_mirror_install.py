"""Installs from the mirror with the real apt, in an overlay of this machine whose changes are thrown away."""

import functools
import http.server
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path

import pytest

from rackwright.collect import probe_build
from rackwright.twin import mirror, nvml
from rackwright.twin.hosts import base_layer, host_plan, preload
from tests.bills import NVIDIA
from tests.patience import PATIENCE
from tests.unit.twin import nvml_bench as bench

pytestmark = pytest.mark.twin

OVERLAY = """
set -eu
mount -t tmpfs tmpfs {folder}
mkdir {folder}/up {folder}/work {folder}/root
mount -t overlay overlay -o lowerdir={base}:/,upperdir={folder}/up,workdir={folder}/work {folder}/root
cd {folder}/root
mount -t proc proc proc; mount --rbind /dev dev; mount -t tmpfs tmpfs run
mkdir -p run/rackwright-twin mnt/test sys/module usr/lib/rackwright-twin/guest
echo {kernel} > run/rackwright-twin/release; mount --bind run/rackwright-twin/release proc/sys/kernel/osrelease
mount --bind {guest} usr/lib/rackwright-twin/guest
for one in {libraries}; do cp $one usr/lib/rackwright-twin/; echo /usr/lib/rackwright-twin/$(basename $one); done > etc/ld.so.preload
printf '%s' "$STATE" > .{state}
rm -rf etc/apt/sources.list etc/apt/sources.list.d
mkdir -p etc/apt/sources.list.d etc/apt/keyrings
cp {key} etc/apt/keyrings/rackwright.asc
cp {probe} mnt/test/probe.pyz
echo 'deb [signed-by=/etc/apt/keyrings/rackwright.asc] http://127.0.0.1:{port} stable main' > etc/apt/sources.list.d/twin.list
exec chroot . sh -eu
"""

KERNEL = "6.1.0-56-amd64"
PINS = """
cat > /etc/apt/preferences.d/twin <<END
Package: nvidia-open nvidia-driver* nvidia-kernel-* nvidia-modprobe nvidia-smi nvidia-persistenced libnvidia-ml1 libcuda1 nvidia-fabricmanager
Pin: version 580.173.02-1
Pin-Priority: 1001
END
"""
INSTALL = f"apt-get install -qq -y --no-install-recommends linux-headers-{KERNEL} "


class Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_arguments):
        pass


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    root = mirror.build(tmp_path_factory.mktemp("cache"), NVIDIA, lambda _name, _data: None)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Silent, directory=str(root)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield root, server.server_port
    server.shutdown()


@pytest.fixture(scope="module")
def base():
    folder = Path(tempfile.mkdtemp(dir="/dev/shm", prefix="rackwright-test-"))
    base_layer.write(folder / "base", NVIDIA, folder / "cache")
    yield folder / "base"
    shutil.rmtree(folder)


@pytest.fixture
def node(repository, base, tmp_path):
    root, port = repository
    libraries = " ".join(str(path) for path in preload.libraries(tmp_path).values())
    probe = probe_build.build_probe(tmp_path)

    def run(script):
        folder = tempfile.mkdtemp(dir="/dev/shm", prefix="rackwright-test-")
        set_up = OVERLAY.format(
            folder=folder,
            base=base,
            kernel=KERNEL,
            guest=host_plan.GUEST,
            libraries=libraries,
            state=nvml.STATE_FILE,
            key=root / mirror.KEY_NAME,
            probe=probe,
            port=port,
        )
        state = nvml.render(bench.machine(bench.gpu(0), bench.gpu(1, row_remap_pending=True)))
        command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", set_up]
        environment = {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "LC_ALL": "C",
            "DEBIAN_FRONTEND": "noninteractive",
            "STATE": state,
        }
        try:
            done = subprocess.run(
                command,
                input="exec 2>&1\napt-get update -qq\n" + script,
                env=environment,
                capture_output=True,
                text=True,
                timeout=PATIENCE,
            )
        finally:
            shutil.rmtree(folder)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


def test_without_pins_apt_takes_the_newest(node):
    output = node(INSTALL + "nvidia-open >/dev/null; dpkg-query -W -f '${Version}\\n' nvidia-open libnvidia-ml1")
    assert output.splitlines() == ["595.91.07-1"] * 2


def test_pinned_held_and_running(node):
    output = node(
        PINS
        + INSTALL
        + """nvidia-open nvidia-fabricmanager datacenter-gpu-manager-4-cuda13 libnccl-dev cuda-toolkit-13-0 nvidia-container-toolkit >/dev/null
        apt-mark hold nvidia-open libnccl2 >/dev/null
        echo "held $(apt-mark showhold | tr '\\n' ' ')"
        echo "version $(dpkg-query -W -f '${Version}' nvidia-fabricmanager)"
        echo "module $(modinfo -F license nvidia) $(dkms status)"
        nv-fabricmanager -c x && nvidia-persistenced && echo "fabric $(nvidia-smi --query-gpu=fabric.state,persistence_mode --format=csv,noheader -i 0)"
        (nv-hostengine -n &) ; for i in $(seq 6000); do sleep 0.1; dcgmi discovery -l >/tmp/found && break; done
        head -n 1 /tmp/found
        nvidia-ctk runtime configure --runtime=containerd --cdi.enabled 2>/dev/null; md5sum /etc/containerd/config.toml > /tmp/sum
        nvidia-ctk runtime configure --runtime=containerd --cdi.enabled 2>/dev/null; md5sum -c /tmp/sum
        grep -c nvidia-container-runtime /etc/containerd/conf.d/99-nvidia.toml
        nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml 2>/dev/null; nvidia-ctk cdi list 2>/dev/null | grep -c '^nvidia.com/gpu='
        """
    )
    lines = output.splitlines()
    assert "held libnccl2 nvidia-open " in lines
    assert "version 580.173.02-1" in lines
    assert any(
        line.startswith("module Dual MIT/GPL nvidia/580.173.02, ") and line.endswith("installed") for line in lines
    )
    assert "fabric Completed, Enabled" in lines
    assert "2 GPUs found." in lines
    assert "/etc/containerd/config.toml: OK" in lines
    assert lines[-2:] == ["1", "5"]


def test_the_probe_on_an_onboarded_node(node):
    output = node(
        PINS
        + INSTALL
        + """nvidia-open >/dev/null
        echo '{"commands": [{"id": "nvml", "library": "nvml", "seconds": 20}]}' | python3 -I /mnt/test/probe.pyz > /tmp/lines
        python3 -c "
import base64, json
dump = json.loads(base64.b64decode(json.loads(open('/tmp/lines').readline())['stdout']))
print(dump['system']['driver_version']['value'], [one['remapped_rows']['value'] for one in dump['devices']])"
        """
    )
    assert output.splitlines()[-1] == "580.173.02 [[0, 0, 0, 0], [0, 1, 1, 0]]"


def test_a_newer_fabric_manager_refuses_to_start(node):
    output = node(
        PINS
        + INSTALL
        + "nvidia-open nvidia-fabricmanager=595.91.07-1 >/dev/null; nv-fabricmanager -c x || echo refused $?"
    )
    assert "don't match with driver version 580.173.02" in output
    assert output.splitlines()[-1] == "refused 1"


def test_upgrade_and_purge(node):
    output = node(
        PINS
        + INSTALL
        + """nvidia-open nvidia-fabricmanager >/dev/null; nvidia-smi -L >/dev/null
        rm /etc/apt/preferences.d/twin
        apt-get upgrade -qq -y >/dev/null
        nvidia-smi -L || echo "mismatch $?"
        dkms status
        apt-get purge -qq -y 'nvidia-*' libnvidia-ml1 libcuda1 dkms >/dev/null
        dpkg -l | grep -c -e nvidia -e dkms || true
        ls -d /var/lib/dkms/nvidia /usr/lib/x86_64-linux-gnu/libnvidia-ml* 2>/dev/null || echo clean
        """
    )
    lines = output.splitlines()
    assert "mismatch 18" in lines
    assert any(line.startswith("nvidia/595.91.07, ") for line in lines)
    assert lines[-2:] == ["0", "clean"]
