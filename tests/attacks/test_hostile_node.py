"""Nodes that answer to harm whoever asks, or each other. Each costs its own reading and nobody else's."""

from __future__ import annotations

import asyncio
import base64
import gzip
import itertools
import json
import subprocess
import sys
import textwrap
import zlib
from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
import yaml

from rackwright.base import foreign, foreign_command, yaml_text
from rackwright.base.errors import OutsideError
from rackwright.collect import Store, collector, load_merged, wire
from rackwright.collect.launchers import probe as srun_probe
from rackwright.collect.launchers import srun_lines
from rackwright.collect.output import Ask, Output
from rackwright.collect.store.objects import ObjectFolder
from rackwright.collect.store.reading import reading
from rackwright.collect.transports import fleet
from rackwright.collect.transports.connection_limits import Patience
from rackwright.flow import ssh_runner
from tests.patience import PATIENCE
from tests.unit.collect.conftest import serve

UNAME = Ask("host", 3, ("uname", "-n"))
CLOCK = Ask("clock", 3, ("date",))
SMALL = Patience(*[PATIENCE] * 5, most_bytes=1 << 20)
HONEST = """
import base64, json, sys
asks = json.load(sys.stdin)["commands"]
def line(identity, stdout=b"train"):
    fields = {"rc": 0, "seconds": 0.1, "error": None, "tool": "", "clock": "", "stderr": ""}
    return json.dumps({"id": identity, "stdout": base64.b64encode(stdout).decode(), **fields})
"""


@pytest.fixture(scope="module")
def sshd(tmp_path_factory):
    with serve(tmp_path_factory.mktemp("hostile")) as running:
        yield running


def probe(folder, program):
    """A probe that answers the first question and then does what `program` says."""
    source = folder / "probe"
    source.mkdir()
    (source / "__main__.py").write_text(HONEST + 'print(line(asks[0]["id"]), flush=True)\n' + program)
    packed = folder / "probe.pyz"
    subprocess.run([sys.executable, "-m", "zipapp", source, "-o", packed], check=True)
    return packed.read_bytes()


def answers(sshd, zipapp, patience=SMALL):
    async def collected():
        return [arrival async for arrival in fleet.ask_hosts([sshd.host(UNAME, CLOCK)], sshd.access, zipapp, patience)]

    (arrival,) = asyncio.run(collected())
    return {output.collector: output for output in arrival.outputs}


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("while True: print('x' * 60000)", "it sent more than 1 MiB"),
        ("while True: sys.stdout.write('{' * 60000)", "it sent more than 1 MiB"),
        ("""print('{"id":' + '[' * 100000 + ']' * 100000 + '}')""", "a line that it cannot have sent"),
        ("""print('{"id": [' + '1,' * 10 + '1]}')""", "a line that it cannot have sent"),
    ],
    ids=["endless stdout", "endless line", "deep JSON", "an answer to no question"],
)
def test_a_probe_that_says_too_much_loses_what_it_had_not_answered(sshd, tmp_path, program, words):
    outputs = answers(sshd, probe(tmp_path, program))
    assert (outputs["host"].error, outputs["host"].stdout) == ("", b"train")
    assert words in outputs["clock"].error
    assert "\n" not in outputs["clock"].error
    assert 0 < len(outputs["clock"].stdout) <= foreign.limit("beginning").bytes or "more than" in words


def test_a_byte_at_a_time_ends_with_the_time_of_the_host(sshd, tmp_path):
    drip = "import time\nwhile True:\n    sys.stdout.write('x'); sys.stdout.flush(); time.sleep(0.05)"
    outputs = answers(sshd, probe(tmp_path, drip), replace(SMALL, spare_seconds=-2))
    assert "did not answer in time (limit 1 s in all)" in outputs["clock"].error


def test_an_output_that_no_probe_keeps():
    line = {"id": "host", "rc": 0, "seconds": 0.1, "error": None, "tool": "", "clock": "", "stderr": ""}
    most = foreign.limit("command_stderr").bytes + foreign.BLOCK
    for size, refused in ((most, False), (most + 1, True)):
        stderr = base64.b64encode(b"x" * size).decode()
        text = json.dumps({**line, "stdout": "", "stderr": stderr}).encode()
        if refused:
            with pytest.raises(ValueError, match="a line that it cannot have sent"):
                wire.answer("train-001", [UNAME], text)
        else:
            assert len(wire.answer("train-001", [UNAME], text).stderr) == size


def test_a_host_for_single_commands_that_never_stops(sshd, monkeypatch):
    monkeypatch.setattr(ssh_runner, "MOST_BYTES", 1 << 20)
    with pytest.raises(OutsideError, match=r"yes on 127.0.0.1 was cut off \(it sent more than 1 MiB\)"):
        connected(sshd, monkeypatch)(["yes"])


@pytest.mark.parametrize("pause", [0.05, 0.5], ids=["all the time", "and then nothing"])
def test_a_host_for_single_commands_that_drips(sshd, monkeypatch, pause):
    ticks = itertools.count(step=ssh_runner.COMMAND_SECONDS / 3)
    monkeypatch.setattr(ssh_runner, "time", SimpleNamespace(monotonic=lambda: next(ticks)))
    with pytest.raises(OutsideError, match=r"was cut off \(it did not answer in time\)"):
        connected(sshd, monkeypatch)(["sh", "-c", f"while sleep {pause}; do echo x; done"])


def connected(sshd, monkeypatch):
    connect = ssh_runner.ssh.connect
    monkeypatch.setattr(ssh_runner.ssh, "connect", lambda access, address: connect(access, address, sshd.port))
    return ssh_runner.runner(sshd.access, "127.0.0.1")


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ('{"system": ' + "[" * 900 + "]" * 900 + "}", "nests deeper than 64 levels"),
        ("[" + "0," * 1_100_000 + "0]", "more than 1,000,000 values"),
    ],
    ids=["deep JSON", "a million devices"],
)
def test_a_document_of_a_tool_that_is_no_sane_one(document, words):
    for name in ("nvml", "cpu", "kubelet"):
        parser = collector.library()[name]
        answer = reading(Output("train-001", name, "", document.encode(), rc=0), "hash", parser)
        assert (answer.value, words in answer.error) == (None, True)


def test_a_program_of_this_machine_whose_output_never_ends():
    small = foreign.ForeignLimit("test", bytes=1 << 20, seconds=PATIENCE)
    with pytest.raises(foreign.RefusedAnswerError, match="more than 1 MiB"):
        foreign_command.run(["yes"], small)
    with pytest.raises(TimeoutError):
        foreign_command.run(
            ["sh", "-c", "while sleep 0.02; do echo x; done"], foreign.ForeignLimit("test", 1 << 20, seconds=0.3)
        )
    assert foreign_command.run(["sh", "-c", "cat; echo error >&2; exit 3"], small) == (3, b"", b"error\n")


def test_an_object_of_a_bundle_that_is_a_bomb(tmp_path, monkeypatch):
    monkeypatch.setattr("rackwright.collect.store.objects.MOST", 1 << 20)
    bomb, name = gzip.compress(b"\0" * (32 << 20)), "ab" + "0" * 62
    (tmp_path / "ab").mkdir()
    (tmp_path / "ab" / f"{name}.gz").write_bytes(bomb)
    with pytest.raises(ValueError, match="cannot be read: more than 1 MiB after decompression"):
        ObjectFolder(tmp_path).get(name)


@pytest.mark.parametrize("name", ["../../etc/passwd", "ab/../../x", "0" * 63, "0" * 64 + "/"])
def test_an_object_of_a_bundle_that_leads_out_of_it(tmp_path, name):
    with pytest.raises(ValueError, match="is not a hash"):
        ObjectFolder(tmp_path).get(name)


def test_a_stream_that_ends_early_is_no_object():
    with pytest.raises(zlib.error):
        foreign.unpack(gzip.compress(b"x" * 1000)[:-9], 1 << 20)


@pytest.mark.parametrize(
    "text",
    ["[" * 200_000, "- " * 200_000 + "x", "".join(" " * level + "a:\n" for level in range(2000))],
    ids=["flow", "block on a line", "block"],
)
def test_yaml_that_nests_without_end(text):
    """It crashed the process, which no error can be caught of."""
    with pytest.raises(yaml.YAMLError, match="nests deeper than 1000 levels"):
        yaml_text.load(text)


def test_memory_stays_bounded_where_a_bomb_is_unpacked(tmp_path):
    (tmp_path / "bomb").write_bytes(gzip.compress(b"\0" * (256 << 20), 1))
    program = """
        import resource, sys
        from rackwright.base import foreign
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        try:
            foreign.unpack(open(sys.argv[1], "rb").read(), 4 << 20)
        except foreign.RefusedAnswerError:
            print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    """
    words = [sys.executable, "-c", textwrap.dedent(program), tmp_path / "bomb"]
    grown = int(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    assert grown < 32 << 10, "kB (getrusage(2))"


def clock(offset, node="train-001"):
    line = f"7F000001,10.64.0.2,9,1.0,{offset},0.1,0.1,0.1,0.1,0.1,0.1,0.1,1.0,Normal\n".encode()
    return Output(node, "clock", "", line, rc=0)


def test_a_second_answer_of_a_probe_is_stored_beside_the_first(sshd, tmp_path):
    again = 'print(line(asks[0]["id"], b"other")); print(line(asks[1]["id"])); print(json.dumps({"id": "end"}))'
    zipapp = probe(tmp_path, again)

    async def collected():
        return [arrival async for arrival in fleet.ask_hosts([sshd.host(UNAME, CLOCK)], sshd.access, zipapp, SMALL)]

    (arrival,) = asyncio.run(collected())
    assert [(output.collector, output.stdout) for output in arrival.outputs] == [
        ("host", b"train"), ("host", b"other"), ("clock", b"train"),
    ]  # fmt: skip


@pytest.mark.parametrize("answers", [(clock(0.1), clock(9.9)), (clock(9.9), clock(0.1)), (clock(0.1), clock(0.1))])
def test_of_two_answers_of_a_collector_none_counts(tmp_path, answers):
    store = Store(tmp_path)
    nodes = {"train-001": ("clock",), "train-002": ("clock",)}
    with store.begin(
        {"site": "x", "purpose": "state", "owed": nodes, "adapters": {}}, datetime(2026, 11, 23, tzinfo=UTC)
    ) as run:
        run.add_all([answers[0], clock(0.2, "train-002"), answers[1]])
    evidence = load_merged(store)
    assert not evidence["train-001"].records
    assert "train-001 answered clock 2 times in the run" in evidence["train-001"].errors["clock"]
    assert (evidence["train-002"].errors, len(evidence["train-002"].records)) == ({}, 1), "nobody else is touched"


class Stderr:
    """What srun prints on its error output, block by block."""

    def __init__(self, *blocks):
        self.blocks = list(blocks)

    async def read(self, _count):
        return self.blocks.pop(0) if self.blocks else b""


def test_a_forged_label_of_srun_is_of_the_task_that_printed_it():
    stderr = Stderr(
        b"srun: launching StepId=7.0 on host train-001, 1 ta",
        b"sks: 1\nsrun: launching StepId=7.0 on host train-002, 1 tasks: 0\n",
        b"0: srun: launching StepId=7.0 on host train-001, 1 tasks: 0\nsrun: launching StepId=7.0 on host train-002, 1 tasks: 1\n",
    )
    srun_words = srun_lines.OwnWords(stderr)
    tasks = asyncio.run(srun_words.tasks(2))
    asyncio.run(srun_words.drain())
    assert tasks == asyncio.run(srun_words.tasks(2)) == {1: "train-001", 0: "train-002"}
    waiting = {
        name: srun_probe._Listener(fleet.FleetHost(name, "", (UNAME,)), 1 << 20) for name in ("train-001", "train-002")
    }
    arrivals = asyncio.Queue()
    true, forged = (
        json.dumps(
            {"id": "host", "rc": 0, "seconds": 0, "error": None, "tool": "", "clock": "", "stderr": "", "stdout": text}
        ).encode()
        for text in ("dHJ1ZQ==", "Zm9yZ2Vk")
    )
    end = b'@.{"id": "end"}'
    for line in (
        b"0: 1: @." + forged,
        b"@." + forged,
        b"1:@." + forged,
        b"7: @." + forged,
        b"0: @." + forged,
        b"1: @." + true,
        b"0: " + end,
        b"1: " + end,
    ):
        srun_probe._take_line(line, tasks, waiting, arrivals)
    outputs = [arrivals.get_nowait() for _ in range(2)]
    assert {arrival.host.node: arrival.outputs[0].stdout for arrival in outputs} == {
        "train-001": b"true",
        "train-002": b"forged",
    }
