import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from rackwright.twin.hosts import disks
from tests.patience import PATIENCE, until

pytestmark = pytest.mark.twin


def command(site: Path, work: Path, *words: str, nodes: str = "train-001") -> list[str]:
    """A command of the twin; without --default-signal a test run in the background would have it ignore Ctrl-C."""
    start = ["env", "--default-signal=INT", sys.executable, "-m", "rackwright", "twin", str(site)]
    return [*start, "--work", str(work), "--nodes", nodes, *words]


def processes(mark: str) -> list[str]:
    matches = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark in folder.joinpath("cmdline").read_text() or mark in str(folder.joinpath("root").readlink()):
                matches.append(folder.name)
        except OSError:
            continue
    return matches


@pytest.mark.parametrize(("script", "code"), [("exit 7", 7), ("kill $$", 143)])
def test_the_status_of_the_command_is_ours(script: str, code: int, example_site: Path, tmp_path: Path) -> None:
    done = subprocess.run(command(example_site, tmp_path, "--", "sh", "-c", script), check=False)
    assert done.returncode == code
    assert not disks.folder("h100-pod", tmp_path).exists()


def test_a_signal_takes_everything_along_and_the_next_twin_starts(example_site: Path, tmp_path: Path) -> None:
    for number, code in ((signal.SIGKILL, -9), (signal.SIGTERM, 143), (signal.SIGINT, 130)):
        _end_by(number, code, example_site, tmp_path)
    last = subprocess.run(command(example_site, tmp_path, "--", "ssh", "train-001", "true"), check=False)
    assert last.returncode == 0


def _end_by(number: int, code: int, example_site: Path, tmp_path: Path) -> None:
    mark = f"inside-{tmp_path.name}-{number}"
    script = f"echo up; exec -a {mark} sleep 3600"
    process = subprocess.Popen(
        command(example_site, tmp_path, "--", "bash", "-c", script, nodes="1"),  # with the servers of Slurm and UFM
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout
    assert process.stdout.readline() == b"up\n"
    assert processes(mark)
    process.send_signal(number)
    assert process.wait(timeout=PATIENCE) == code
    until(lambda: not processes(mark), lambda: processes(mark))
    links = subprocess.run(["ip", "-brief", "link"], capture_output=True, text=True, check=True).stdout
    assert "rw-" not in links
    mounts = Path("/proc/self/mountinfo").read_text()
    assert str(tmp_path) not in mounts
    assert str(disks.folder("h100-pod", tmp_path)) not in mounts


def test_a_killed_twin_finds_its_hosts_again(example_site: Path, tmp_path: Path) -> None:
    script = "ssh train-001 'touch /etc/kept; echo kept >> /etc/hosts'; echo up; sleep 3600"
    process = subprocess.Popen(
        command(example_site, tmp_path, "--keep", "--", "bash", "-c", script), stdout=subprocess.PIPE
    )
    assert process.stdout
    assert process.stdout.readline() == b"up\n"
    process.kill()
    process.wait()
    assert disks.folder("h100-pod", tmp_path).exists()
    again = command(
        example_site, tmp_path, "--keep", "--", "ssh", "train-001", "test -e /etc/kept && grep kept /etc/hosts"
    )
    assert subprocess.run(again, check=False, stdout=subprocess.DEVNULL).returncode == 0
    fresh = command(example_site, tmp_path, "--", "ssh", "train-001", "test -e /etc/kept")
    assert subprocess.run(fresh, check=False).returncode == 1


def test_one_twin_per_workspace(open_twin, example_site: Path, tmp_path: Path) -> None:
    open_twin("--nodes", "train-001", work=tmp_path)
    second = subprocess.run(command(example_site, tmp_path, "--", "true"), capture_output=True, text=True, check=False)
    assert second.returncode == 2
    assert "runs already" in second.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [(["--fault", "gpu-mising"], "did you mean `gpu-missing`"), (["--fault", "fabric-cables-swapped"], "needs 2")],
)
def test_wrong_faults_are_refused_in_one_sentence(
    words: list[str], says: str, example_site: Path, tmp_path: Path
) -> None:
    done = subprocess.run(command(example_site, tmp_path, *words), capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert says in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_without_root_it_says_what_it_needs() -> None:
    """Somebody else runs it, from a copy that everybody can read: a checkout may lie below /root."""
    user = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    code = "import sys; sys.path.insert(0, sys.argv[1]); from rackwright.twin.hosts import namespaces; namespaces.reexec([])"
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        shutil.copytree(Path(__file__).parents[2] / "rackwright", Path(folder) / "rackwright")
        command = [*user, "/usr/bin/python3", "-B", "-c", code, folder]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "needs root" in done.stderr.splitlines()[-1]
