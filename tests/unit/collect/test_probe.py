import base64
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from rackwright.collect import probe_build, wire
from rackwright.collect.output import Ask
from rackwright.collect.probe import command, main
from tests.patience import PATIENCE, until

FIELDS = {"id", "rc", "stdout", "stderr", "seconds", "error", "tool", "clock", "boot"}


@pytest.fixture(scope="module")
def zipapp(tmp_path_factory):
    return probe_build.build_probe(tmp_path_factory.mktemp("probe"))


def converse(zipapp, request, environment=None):
    """What the probe says to `request` (bytes, or a document), as one dictionary per line."""
    sent = request if isinstance(request, bytes) else json.dumps(request).encode()
    environment = {**os.environ, **(environment or {})}
    done = subprocess.run(
        [sys.executable, "-I", zipapp], input=sent, capture_output=True, timeout=PATIENCE, env=environment, check=True
    )
    assert done.stderr == b""
    return [json.loads(line) for line in done.stdout.splitlines()]


def ask(zipapp, *argv, seconds=10):
    answer, end = converse(zipapp, {"commands": [{"id": "one", "argv": argv, "seconds": seconds}]})
    assert end == {"id": "end"}
    return answer


def text(answer, stream="stdout"):
    return base64.b64decode(answer[stream]).decode()


def test_an_answer_has_everything(zipapp):
    before = datetime.now(UTC)
    answer = ask(zipapp, "sh", "-c", "echo out; echo err >&2; exit 3")
    assert set(answer) == FIELDS
    assert (answer["id"], answer["rc"], answer["error"]) == ("one", 3, None)
    assert (text(answer), text(answer, "stderr")) == ("out\n", "err\n")
    assert answer["tool"] == shutil.which("sh")
    assert before <= datetime.fromisoformat(answer["clock"]) <= datetime.now(UTC)


def test_bytes_that_are_no_text_survive(zipapp):
    assert base64.b64decode(ask(zipapp, "printf", r"\377\000\n")["stdout"]) == b"\xff\x00\n"


def test_a_command_that_is_not_there(zipapp):
    answer = ask(zipapp, "no-such-command")
    assert (answer["rc"], answer["error"], answer["stdout"]) == (None, "not found", "")


def test_a_program_is_found_in_the_folder_of_its_vendor_and_finds_others_there(zipapp, tmp_path):
    for name, script in {"quark-smi": "exec quark-list", "quark-list": "echo Q1"}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    questions = [
        {"id": "own", "argv": ["quark-smi"], "folders": [str(tmp_path)]},
        {"id": "other", "argv": ["quark-smi"]},
    ]
    answers = {answer["id"]: answer for answer in converse(zipapp, {"commands": questions}) if "id" in answer}
    assert (text(answers["own"]), answers["own"]["tool"]) == ("Q1\n", str(tmp_path / "quark-smi"))
    assert answers["other"]["error"] == "not found"


def test_a_command_that_may_not_run(zipapp, tmp_path):
    (tmp_path / "plain").write_text("text")
    assert ask(zipapp, str(tmp_path / "plain"))["error"] == "Permission denied"


@pytest.fixture
def over(tmp_path, monkeypatch):
    """A file; once it has content, every limit of time of the probe is over."""
    mark = tmp_path / "over"
    clock = SimpleNamespace(monotonic=lambda: 100.0 * (mark.exists() and mark.stat().st_size > 0), sleep=time.sleep)
    monkeypatch.setattr(command, "time", clock)
    monkeypatch.setattr(main, "time", clock)
    return mark


def ask_here(script, seconds=10):
    return command.run("one", {"argv": ["sh", "-c", script], "seconds": seconds})


def test_a_hanging_command_costs_its_limit_and_keeps_what_it_said(over):
    answer = ask_here(f"echo early; echo >{over}; sleep 3600")
    assert (answer["error"], answer["rc"], text(answer)) == ("timeout", -signal.SIGKILL, "early\n")


def test_a_command_that_ignores_signals_is_killed_with_its_children(over):
    answer = ask_here(f"trap '' TERM INT; sh -c 'echo $$ >{over}; sleep 3600' ; :")
    assert answer["error"] == "timeout"
    _ends(int(over.read_text()))


def test_what_a_command_leaves_behind_does_not_hold_the_probe(zipapp, tmp_path):
    mark = tmp_path / "pid"
    answer = ask(zipapp, "sh", "-c", f"sleep 3600 & echo $! > {mark}; echo done", seconds=PATIENCE / 2)
    assert (answer["error"], answer["rc"], text(answer)) == (None, 0, "done\n")
    _ends(int(mark.read_text()))


def _ends(pid):
    until(lambda: not _lives(pid), f"process {pid} goes on")


def _lives(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"  # killed, and not yet seen off by whoever adopts orphans here


def test_a_flood_is_cut(zipapp):
    answer = ask(zipapp, "sh", "-c", "yes")
    assert answer["error"] == f"more than {16 << 20} bytes of output"
    answer = ask(zipapp, "sh", "-c", "yes | head -c 1000000 >&2")
    assert (answer["error"], len(text(answer, "stderr"))) == (None, 64 * 1024)


def test_all_at_the_same_time_and_the_fast_ones_first(zipapp, tmp_path):
    """Each slow command waits until all of them run, and until the fast one has ended."""
    fast = tmp_path / "fast"
    all_run = f"touch {tmp_path}/$1; until [ $(ls {tmp_path} | wc -l) = 6 ]; do sleep 0.05; done"
    fast_ended = f"while kill -0 $(cat {fast}); do sleep 0.05; done; sleep 0.1"
    commands = [
        {"id": f"slow-{i}", "argv": ["sh", "-c", f"{all_run}; {fast_ended}", "sh", str(i)], "seconds": PATIENCE / 2}
        for i in range(5)
    ]
    commands.append({"id": "fast", "argv": ["sh", "-c", f"echo $$ > {fast}"], "seconds": PATIENCE / 2})
    answers = converse(zipapp, {"commands": commands})
    assert answers[0]["id"] == "fast"
    assert {line["error"] for line in answers[:-1]} == {None}
    assert {line["id"] for line in answers} == {*(f"slow-{i}" for i in range(5)), "fast", "end"}


def test_one_after_the_other_with_a_rest_between(zipapp, tmp_path):
    mark = tmp_path / "times"
    note = ["sh", "-c", f"date +%s.%N >> {mark}; sleep 0.2; date +%s.%N >> {mark}"]
    commands = [{"id": f"test-{i}", "argv": note, "seconds": 10} for i in range(3)]
    answers = converse(zipapp, {"commands": commands, "cooldown": 0.3})
    assert [line["id"] for line in answers] == ["test-0", "test-1", "test-2", "end"]
    times = [float(line) for line in mark.read_text().split()]
    rests = [begun - ended for ended, begun in zip(times[1::2], times[2::2], strict=False)]
    assert len(rests) == 2
    assert min(rests) >= 0.3


def test_a_load_that_hangs_costs_its_limit_and_the_next_one_runs(zipapp):
    commands = [
        {"id": "hangs", "argv": ["sleep", "60"], "seconds": 0.5},
        {"id": "next", "argv": ["true"], "seconds": PATIENCE},
    ]
    answers = converse(zipapp, {"commands": commands, "cooldown": 0})
    assert [(line["id"], line.get("error")) for line in answers] == [
        ("hangs", "timeout"),
        ("next", None),
        ("end", None),
    ]


def test_a_load_that_nobody_measures_any_more_is_killed(zipapp, tmp_path):
    mark = tmp_path / "pid"
    load = {"id": "load", "argv": ["sh", "-c", f"echo $$ > {mark}; sleep 3600; :"], "seconds": 3600}
    request = json.dumps({"commands": [load], "cooldown": 1}).encode()
    reader, writer = os.pipe()
    process = subprocess.Popen([sys.executable, "-I", zipapp], stdin=subprocess.PIPE, stdout=writer)
    os.close(writer)
    process.stdin.write(request)
    process.stdin.close()
    until(lambda: mark.exists() and mark.read_text())
    os.close(reader)
    assert process.wait(timeout=PATIENCE) == 1
    _ends(int(mark.read_text()))


def test_the_limit_of_the_whole(over, monkeypatch):
    """It is over when the fast command has been answered."""
    commands = [{"id": "slow", "argv": ["sleep", "3600"]}, {"id": "fast", "argv": ["true"]}]
    request = json.dumps({"commands": commands, "seconds": 10}).encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(request)))
    with over.open("w") as out:
        monkeypatch.setattr("sys.stdout", out)
        assert main.main() == 0
    answers = [json.loads(line) for line in over.read_text().splitlines()]
    assert [(line["id"], line.get("error")) for line in answers] == [("fast", None), ("slow", "timeout"), ("end", None)]


@pytest.mark.parametrize(
    "request_",
    [b"", b"not json", b"[]", b'{"commands": 3}', b'{"commands": [{"argv": ["true"]}]}', b"\xff"],
)
def test_a_broken_request_is_said_and_ends(zipapp, request_):
    answer, end = converse(zipapp, request_)
    assert (answer["id"], answer["rc"], end) == ("request", None, {"id": "end"})
    assert answer["error"].startswith("not a request: ")


def test_two_commands_with_one_id_are_refused(zipapp):
    answer, _end = converse(zipapp, {"commands": [{"id": "a", "argv": ["true"]}, {"id": "a", "argv": ["false"]}]})
    assert answer["error"] == "not a request: ValueError: two commands have one id"


def test_one_broken_command_does_not_cost_the_others(zipapp):
    commands = [
        {"id": "no-argv", "seconds": 5},
        {"id": "no-such-library", "library": "rocm", "seconds": 5},
        {"id": "empty", "argv": [], "seconds": 5},
        {"id": "good", "argv": ["echo", "yes"], "seconds": 5},
    ]
    answers = {line["id"]: line for line in converse(zipapp, {"commands": commands})}
    assert answers["no-argv"]["error"] == "KeyError: 'argv'"
    assert answers["no-such-library"]["error"] == "this probe knows no library 'rocm'"
    assert answers["empty"]["error"]
    assert text(answers["good"]) == "yes\n"


def test_nobody_listens(zipapp):
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -I {zipapp} | true"],
        input=b'{"commands": [{"id": "a", "argv": ["sleep", "0.3"], "seconds": 5}]}',
        capture_output=True,
        timeout=PATIENCE,
    )
    assert b"Traceback" not in done.stderr


def test_out_of_an_anonymous_file_as_the_collector_sends_it(zipapp):
    asks = [Ask("nvml", 20, library="nvml"), Ask("kernel", 5, ("uname", "-s"))]
    done = subprocess.run(
        ["sh", "-c", wire.COMMAND],
        input=wire.probe_bytes(zipapp.read_bytes(), asks),
        capture_output=True,
        timeout=PATIENCE,
    )
    outputs = {
        output.collector: output for line in done.stdout.splitlines() if (output := wire.answer("n", asks, line))
    }
    assert outputs["kernel"].stdout == b"Linux\n"
    assert "init" in json.loads(outputs["nvml"].stdout)


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_a_driver_that_hangs_costs_its_limit(zipapp, tmp_path):
    source = tmp_path / "hang.c"
    source.write_text("#include <unistd.h>\nunsigned nvmlInitWithFlags(unsigned f) { for (;;) pause(); return f; }\n")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", tmp_path / "libnvidia-ml.so.1", source], check=True)
    commands = [{"id": "nvml", "library": "nvml", "seconds": 1}, {"id": "other", "argv": ["true"]}]
    answers = converse(zipapp, {"commands": commands, "seconds": PATIENCE}, {"LD_LIBRARY_PATH": str(tmp_path)})
    assert [(line["id"], line.get("error")) for line in answers] == [
        ("other", None),
        ("nvml", "timeout"),
        ("end", None),
    ]


def test_without_a_driver_the_dump_says_so(zipapp, tmp_path):
    (tmp_path / "libnvidia-ml.so.1").write_text("no library")
    answer, _ = converse(
        zipapp, {"commands": [{"id": "nvml", "library": "nvml", "seconds": 20}]}, {"LD_LIBRARY_PATH": str(tmp_path)}
    )
    assert answer["rc"] == 1
    assert json.loads(text(answer))["init"] == {"error": "NVML_ERROR_LIBRARY_NOT_FOUND"}
    assert text(answer, "stderr") == "NVML does not start: NVML_ERROR_LIBRARY_NOT_FOUND\n"
    assert answer["tool"].startswith("pynvml ")
