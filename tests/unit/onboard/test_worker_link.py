import importlib.util
import io
import json
import os
import signal
import subprocess
import sys
import tarfile
import threading
from pathlib import Path

import pytest

from rackwright.onboard import worker_link
from rackwright.onboard.worker_bundle import WorkerBundle
from rackwright.onboard.worker_link import WorkerLink, command
from tests.patience import PATIENCE, until

NODE = Path(worker_link.__file__).parent / "node"
VARIABLES = {
    "ansible_user": "root", "ansible_host": "10.0.0.1", "ansible_ssh_private_key_file": "/k/id",
    "ansible_ssh_common_args": "-o 'UserKnownHostsFile=/my work/known'",
}  # fmt: skip
OPS = {**VARIABLES, "ansible_user": "ops"}
ECHO = "import sys; sys.stdout.write('ran ' + sys.stdin.readline())\n"


def bundle_of(launch):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        entry = tarfile.TarInfo("launch.py")
        entry.size = len(launch)
        archive.addfile(entry, io.BytesIO(launch.encode()))
    import hashlib

    return WorkerBundle(data.getvalue(), hashlib.sha256(data.getvalue()).hexdigest(), (3, 7))


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The bootstrap on this machine in place of ssh."""
    words = [sys.executable, "-c", (NODE / "bootstrap.py").read_text()]
    monkeypatch.setattr(worker_link, "FOLDER", str(tmp_path / "opt"))
    monkeypatch.setattr(worker_link, "command", lambda variables: variables.get("command", words))
    return tmp_path / "opt"


def heard(back):
    heard.lines = back.read()
    return ""


def test_ssh_is_called_with_the_trust_of_ansible():
    words = command(VARIABLES)
    assert words[:4] == ["ssh", "-T", "-o", "UserKnownHostsFile=/my work/known"]
    assert words[words.index("-i") + 1] == "/k/id"
    assert "root@10.0.0.1" in words
    assert words[-1].startswith("python3 -c ")
    assert command(OPS)[-1].startswith("sudo -n python3 -c ")


def test_the_bundle_is_sent_once(here):
    bundle = bundle_of(ECHO)
    assert WorkerLink(VARIABLES).play(bundle, b"hello\n", heard).why == ""
    assert heard.lines == b"ran hello\n"
    assert (here / bundle.digest / "launch.py").read_text() == ECHO
    again = WorkerBundle(b"never sent", bundle.digest, bundle.python)
    assert WorkerLink(VARIABLES).play(again, b"again\n", heard).why == ""
    assert heard.lines == b"ran again\n"


def test_a_bundle_that_changed_on_the_way_is_refused(here):
    bundle = WorkerBundle(bundle_of(ECHO).data, "0" * 64, (3, 7))
    outcome = WorkerLink(VARIABLES).play(bundle, b"hello\n", lambda back: "" if back.read() else "it ended early")
    assert "arrived with digest" in outcome.why
    assert not (here / ("0" * 64)).exists()


def test_a_node_whose_python_is_too_old_says_so(here):
    outcome = WorkerLink(VARIABLES).play(WorkerBundle(b"", "0" * 64, (99, 0)), b"", heard)
    assert "needs Python 99.0 or newer on the node (found 3." in outcome.why
    assert not outcome.unreachable


@pytest.mark.parametrize(
    ("script", "why", "unreachable"),
    [
        ("echo 'ssh: connect to host a port 22: Connection refused' >&2; exit 255", "Connection refused", True),
        (
            "head -n 1 >/dev/null; echo 'sudo: a password is required' >&2; exit 1",
            "put `ops ALL=(ALL) NOPASSWD: ALL` into",
            False,
        ),
        ("exit 0", "did not answer", False),
    ],
)
def test_why_a_node_could_not_be_asked(here, script, why, unreachable):
    outcome = WorkerLink({**OPS, "command": ["sh", "-c", script]}).play(bundle_of(ECHO), b"x\n", heard)
    assert why in outcome.why
    assert outcome.unreachable is unreachable


def test_a_login_that_greets_is_no_answer(here):
    words = [sys.executable, "-c", "print('Welcome!', flush=True)\n" + (NODE / "bootstrap.py").read_text().replace("from __future__ import annotations", "")]  # fmt: skip
    assert WorkerLink({**OPS, "command": words}).play(bundle_of(ECHO), b"hello\n", heard).why == ""


def test_a_link_that_is_stopped_ends(here, tmp_path):
    wait = f"import time, pathlib; time.sleep(3600); pathlib.Path({str(tmp_path / 'waited_for')!r}).touch()"
    link = WorkerLink({**OPS, "command": [sys.executable, "-c", wait]})
    threading.Timer(0.1, link.stop, ["interrupted"]).start()
    assert link.play(bundle_of(ECHO), b"x\n", heard).why == "interrupted"
    assert not (tmp_path / "waited_for").exists()


def test_a_node_that_hangs_is_given_up(here, monkeypatch):
    monkeypatch.setattr(worker_link, "SILENT_SECONDS", 0.0)
    link = WorkerLink({**OPS, "command": ["sleep", "3600"]})
    link.stop_if_silent()  # one that was not spoken with yet is not silent
    ended = threading.Event()

    def watch():
        while not ended.wait(0.05):
            link.stop_if_silent()

    threading.Thread(target=watch).start()
    try:
        outcome = link.play(bundle_of(ECHO), b"x\n", heard)
    finally:
        ended.set()
    assert ("sent nothing for" in outcome.why, outcome.unreachable) == (True, True)


@pytest.fixture
def launch(tmp_path, monkeypatch):
    result = importlib.util.spec_from_file_location("node_launch", NODE / "launch.py")
    module = importlib.util.module_from_spec(result)
    result.loader.exec_module(module)
    monkeypatch.setattr(module, "FOLDER", tmp_path / "run")
    monkeypatch.setattr(module, "PRIVATE", tmp_path / "run" / "worker")
    monkeypatch.setattr(module, "__file__", str(tmp_path / "opt" / "new" / "launch.py"))
    for name in ("new", "old", "part"):
        (tmp_path / "opt" / name).mkdir(parents=True)
    return module


RUN = """
import importlib.util, subprocess, sys
from pathlib import Path
found = importlib.util.spec_from_file_location("launch", sys.argv[1])
module = importlib.util.module_from_spec(found)
found.loader.exec_module(module)
base = Path(sys.argv[2])
module.FOLDER, module.PRIVATE, module.END_SECONDS, module.LOCK_SECONDS = base / "run", base / "run" / "worker", 1, 1
module.__file__ = str(base / "opt" / "new" / "launch.py")
module._start_worker = lambda home: subprocess.Popen(["sh", "-c", sys.argv[3]], start_new_session=True)
sys.exit(module.main())
"""


def start(tmp_path, script):
    (tmp_path / "opt" / "new").mkdir(parents=True, exist_ok=True)
    words = [sys.executable, "-c", RUN, str(NODE / "launch.py"), str(tmp_path), script]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


def test_a_worker_that_ends_leaves_nothing_but_its_lock(tmp_path):
    process = start(tmp_path, f"cp /etc/hostname {tmp_path}/run/worker/secret; exit 3")
    assert process.wait(PATIENCE) == 3
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["worker.lock"]


def test_when_the_other_side_goes_away_all_that_came_of_the_play_ends(tmp_path):
    """Also a process that left its session, and one that does not heed SIGTERM."""
    mark = tmp_path / "pids"
    script = f"setsid sleep 3600 & echo $! >> {mark}; sh -c 'trap \"\" TERM; echo $$ >> {mark}; sleep 3600; sleep 3600' & wait"
    process = start(tmp_path, script)
    until(lambda: mark.exists() and len(mark.read_text().split()) == 2)
    pids = [int(word) for word in mark.read_text().split()]
    process.stdin.close()
    assert process.wait(PATIENCE) == 1
    assert not any(alive(pid) for pid in pids)
    assert not (tmp_path / "run" / "worker").exists()


def test_a_launcher_that_is_told_to_end_ends_its_play(tmp_path):
    mark = tmp_path / "pid"
    process = start(tmp_path, f"echo $$ > {mark}; exec sleep 3600")
    until(lambda: mark.exists() and mark.read_text().strip())
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 1
    assert not alive(int(mark.read_text()))


def test_one_worker_at_a_time(tmp_path):
    first = start(tmp_path, f"touch {tmp_path}/begun; sleep 3600")
    until((tmp_path / "begun").exists)
    second = start(tmp_path, "exit 0")
    document = [json.loads(line) for line in second.communicate(timeout=PATIENCE)[0].splitlines()]
    assert "another onboarding is at work" in document[0]["job_explanation"]
    assert (document[1], second.returncode) == ({"eof": True}, 1)
    first.stdin.close()
    first.wait(PATIENCE)
    assert start(tmp_path, "exit 0").wait(PATIENCE) == 0


def test_bundles_of_other_versions_are_removed(launch, tmp_path):
    launch._remove_old_workers(tmp_path / "opt" / "new")
    assert sorted(path.name for path in (tmp_path / "opt").iterdir()) == ["new", "part"]
