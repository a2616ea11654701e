import asyncio
import contextlib
import socket
import threading
import time
from dataclasses import replace

import pytest

from rackwright.base.errors import OutsideError
from rackwright.collect import collector, probe_build
from rackwright.collect.output import Ask
from rackwright.collect.transports import fleet
from rackwright.collect.transports.connection_limits import Patience
from tests.patience import PATIENCE
from tests.ports import free_port

UNAME = Ask("host", 5, ("uname", "-n"))
CLOCK = Ask("clock", 5, ("chronyc", "-c", "tracking"))
PATIENT = Patience(*[PATIENCE] * 5)
"""Nothing that answers is given up, however busy the machine is."""
LOGIN_ALONE = {"handshake_seconds": 2 - 2 * PATIENCE}
"""Two seconds for all of a log-in, and patience with its beginning."""

HONEST = """
import base64, json, subprocess, sys
for one in json.load(sys.stdin)["commands"]:
    done = subprocess.run(one["argv"], capture_output=True)
    said = {"id": one["id"], "rc": done.returncode, "seconds": 0.1, "error": None, "tool": "test 1", "clock": "2026-11-21T08:00:00Z"}
    said |= {name: base64.b64encode(getattr(done, name)).decode() for name in ("stdout", "stderr")}
    print(json.dumps(said), flush=True)
print(json.dumps({"id": "end"}))
"""


def arrivals(access, zipapp, *hosts, patience=PATIENT):
    async def all_of_them():
        return [arrival async for arrival in fleet.ask_hosts(hosts, access, zipapp, patience)]

    return asyncio.run(all_of_them())


def only(access, zipapp, *hosts, patience=PATIENT):
    return {arrival.host.node: arrival.outputs for arrival in arrivals(access, zipapp, *hosts, patience=patience)}


def sentence_of(outputs):
    (sentence,) = {output.error for output in outputs}
    assert "\n" not in sentence
    return sentence


@contextlib.contextmanager
def fake_server(talk):
    """A TCP server that hands every connection to `talk`."""
    server = socket.create_server(("127.0.0.1", 0))
    connections = []

    def serve():
        with contextlib.suppress(OSError):
            while True:
                connection, _ = server.accept()
                connections.append(connection)
                threading.Thread(target=guarded, args=(connection,), daemon=True).start()

    def guarded(connection):
        with contextlib.suppress(OSError):
            talk(connection)

    threading.Thread(target=serve, daemon=True).start()
    yield server.getsockname()[1]
    for resource in [*connections, server]:
        resource.close()


def wait_for_the_end(connection):
    while connection.recv(1024):
        pass


def say_nothing(connection):
    wait_for_the_end(connection)


def only_a_banner(connection):
    connection.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")
    wait_for_the_end(connection)


def noise_after_the_banner(connection):
    connection.sendall(b"SSH-2.0-OpenSSH_9.2\r\n" + bytes(range(256)) * 64)
    wait_for_the_end(connection)


def hang_up(connection):
    connection.close()


def a_letter_now_and_then(connection):
    while True:
        connection.sendall(b"x")
        time.sleep(0.2)


def test_all_answers_of_a_host_come_over_one_connection_and_leave_nothing_behind(sshd, probe):
    asks = (
        Ask("host", 5, ("sh", "-c", "echo $SSH_CONNECTION")),
        Ask("fabric", 5, ("sh", "-c", "echo $SSH_CONNECTION; exit 3"), subject="compute"),
    )
    before = set(sshd.folder.parent.rglob("*rackwright*"))

    first, second = only(sshd.access, probe(HONEST), sshd.host(*asks))["train-001"]

    assert first.stdout == second.stdout != b""
    assert (first.collector, first.subject, first.rc, first.error, first.tool) == ("host", "", 0, "", "test 1")
    assert (second.collector, second.subject, second.rc) == ("fabric", "compute", 3)
    assert set(sshd.folder.parent.rglob("*rackwright*")) == before


def test_the_probe_sees_english_and_the_folders_of_administrators(sshd, probe):
    ask = Ask("host", 5, ("sh", "-c", "echo $LC_ALL $PATH"))
    (output,) = only(sshd.access, probe(HONEST), sshd.host(ask))["train-001"]
    assert output.stdout.startswith(b"C /usr/local/sbin:")


def test_a_login_shell_that_greets_does_no_harm(sshd, probe):
    greeting = "print('Welcome to train-001!', flush=True)\n"
    (output,) = only(sshd.access, probe(greeting + HONEST), sshd.host(UNAME))["train-001"]
    assert output.rc == 0


def test_the_real_probe_answers_every_command_of_the_collectors(sshd, tmp_path):
    zipapp = probe_build.build_probe(tmp_path).read_bytes()
    collectors = {
        name: entry for name, entry in collector.library().items() if entry.scope == "node" and not entry.load
    }
    asks = [Ask(name, entry.seconds, entry.command, entry.library) for name, entry in collectors.items()]

    answers = {
        output.collector: output
        for output in only(sshd.access, zipapp, sshd.host(*asks), patience=Patience())["train-001"]
    }

    assert set(answers) == set(collectors)
    assert answers["host"].error == ""
    record = collectors["host"].parse(answers["host"].stdout.decode())
    assert record.hostname == socket.gethostname()
    assert record.memory_bytes > 1 << 20
    assert record.sysctl["kernel.hostname"] == record.hostname
    assert answers["host"].clock


@pytest.mark.parametrize(
    ("talk", "limit", "words"),
    [
        (say_nothing, {"banner_seconds": 0.5}, "accepted the connection and then sent nothing: its sshd hangs"),
        (only_a_banner, LOGIN_ALONE, "began to talk and then stopped"),
        (noise_after_the_banner, LOGIN_ALONE, "began to talk and then stopped"),
        (hang_up, {}, "closed the connection before it identified itself"),
        (a_letter_now_and_then, {"banner_seconds": 0.5}, "accepted the connection and then sent nothing"),
    ],
)
def test_a_broken_sshd_becomes_one_sentence_in_bounded_time(sshd, talk, limit, words):
    patience = replace(PATIENT, **limit)
    with fake_server(talk) as port:
        host = fleet.FleetHost("train-002", "127.0.0.1", (UNAME, CLOCK), port)
        outputs = only(sshd.access, b"", host, patience=patience)["train-002"]
    assert [output.collector for output in outputs] == ["host", "clock"]
    assert sentence_of(outputs).startswith(f"127.0.0.1 port {port} ")
    assert words in sentence_of(outputs)


def test_a_closed_port_is_one_sentence(sshd):
    outputs = only(sshd.access, b"", fleet.FleetHost("train-002", "127.0.0.1", (UNAME,), free_port()))["train-002"]
    assert "cannot be reached (Connection refused" in sentence_of(outputs)


def test_a_hanging_host_does_not_hold_up_the_others(sshd, probe):
    async def first_to_arrive(hosts):
        async with contextlib.aclosing(fleet.ask_hosts(hosts, sshd.access, probe(HONEST), PATIENT)) as arriving:
            return (await anext(arriving)).host.node

    with fake_server(say_nothing) as port:
        hosts = [fleet.FleetHost("hangs", "127.0.0.1", (UNAME,), port), sshd.host(UNAME)]
        assert asyncio.run(first_to_arrive(hosts)) == "train-001"


def test_a_host_that_known_hosts_does_not_name_is_not_talked_to(sshd, probe, tmp_path):
    (tmp_path / "empty").write_text("")
    access = replace(sshd.access, known_hosts=tmp_path / "empty")
    outputs = only(access, probe(HONEST), sshd.host(UNAME))["train-001"]
    assert f"has no host key in {tmp_path / 'empty'}" in sentence_of(outputs)


def test_a_changed_host_key_is_refused(sshd, probe, tmp_path):
    key = (sshd.folder / "user.pub").read_text().split()[:2]
    (tmp_path / "known").write_text(f"[127.0.0.1]:{sshd.port} {' '.join(key)}\n")
    access = replace(sshd.access, known_hosts=tmp_path / "known")
    assert "showed another host key" in sentence_of(only(access, probe(HONEST), sshd.host(UNAME))["train-001"])


def test_hosts_that_are_called_by_name_are_refused_with_the_same_words(sshd, probe, tmp_path):
    by_name = replace(sshd.host(UNAME), address="localhost")
    key = (sshd.folder / "user.pub").read_text().split()[:2]
    for text, words in (
        ("", "has no host key in"),
        (f"[localhost]:{sshd.port} {' '.join(key)}\n", "showed another host key"),
    ):
        (tmp_path / "known").write_text(text)
        access = replace(sshd.access, known_hosts=tmp_path / "known")
        assert words in sentence_of(only(access, probe(HONEST), by_name)["train-001"])
    unknown = replace(sshd.host(UNAME), address="no-such-host.invalid")
    assert "has no address (" in sentence_of(only(sshd.access, probe(HONEST), unknown)["train-001"])


def test_a_refused_key_is_said_with_user_and_file(sshd, probe):
    access = replace(sshd.access, ssh_key=sshd.folder / "host")
    words = sentence_of(only(access, probe(HONEST), sshd.host(UNAME))["train-001"])
    assert f"refused the key {sshd.folder / 'host'} of user" in words


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("import time; time.sleep(60)", "did not answer in time (limit 1 s in all)"),
        ("raise SystemExit('no space left')", "ended early: no space left"),
        ('print(\'{"id": "stranger"}\')', "a line that it cannot have sent"),
        ('print(\'{"id": "end"}\')', "left this question out"),
        ("import sys\nwhile True: sys.stdout.write('{' * 65536)", "sent more than 1 MiB"),
        ("this is no Python", "ended early: SyntaxError"),
    ],
)
def test_a_probe_gone_wrong_is_one_sentence(sshd, probe, program, words):
    patience = replace(PATIENT, spare_seconds=0 if "sleep" in program else PATIENCE, most_bytes=1 << 20)
    outputs = only(sshd.access, probe(program), sshd.host(Ask("host", 1, ("true",))), patience=patience)["train-001"]
    assert words in sentence_of(outputs)


def test_what_arrived_before_the_connection_broke_is_kept(sshd, probe):
    cut = HONEST.replace(
        "\n    print(json.dumps(said), flush=True)", "\n    print(json.dumps(said), flush=True); sys.exit('cut')"
    )
    first, second = only(sshd.access, probe(cut), sshd.host(UNAME, CLOCK))["train-001"]
    assert (first.collector, first.error) == ("host", "")
    assert (second.collector, second.rc) == ("clock", None)
    assert "ended early: cut" in second.error


@pytest.mark.parametrize("content", [None, "", "not a key"])
def test_an_unusable_key_of_ours_is_said_once_and_not_by_every_host(sshd, tmp_path, content):
    if content is not None:
        (tmp_path / "key").write_text(content)
    with pytest.raises(OutsideError, match=r"SSH key .* cannot be used"):
        only(replace(sshd.access, ssh_key=tmp_path / "key"), b"", sshd.host(UNAME))


def test_an_unreadable_known_hosts_file_is_said_once(sshd, tmp_path):
    with pytest.raises(OutsideError, match="known_hosts"):
        only(replace(sshd.access, known_hosts=tmp_path / "known"), b"", sshd.host(UNAME))
