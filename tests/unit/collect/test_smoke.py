"""The small jobs: what starts them, the server and its clients. Their arithmetic is tested in tests/gpu."""

import json
import os
import subprocess
import sys
import threading
from http.server import ThreadingHTTPServer

import pytest

from rackwright.collect import Burning, burn_plan, burnin_tests
from rackwright.collect.collector import library
from rackwright.collect.probe.burn import jobs
from rackwright.collect.probe.burn import main as burn
from rackwright.collect.probe.smoke import answer, train
from rackwright.collect.probe.smoke import clients as ask
from rackwright.collect.probe_build import build_probe
from tests.build import site_design
from tests.patience import PATIENCE

SMOKE = ("finetune_smoke", "serving_smoke")


class Counting:
    """Stands in for the model: counts on from the last word of the prompt."""

    words = 100
    breaks = False

    def write(self, prompt, most):
        for number in range(most if not self.breaks else most // 2):
            yield (prompt[-1] + 1 + number) % self.words
        if self.breaks:
            raise OSError("the context is lost")


@pytest.fixture
def server():
    answer.CompletionHandler.writer = Counting()
    listener = ThreadingHTTPServer(("127.0.0.1", 0), answer.CompletionHandler)
    listener.handle_error = lambda *_words: None
    threading.Thread(target=listener.serve_forever, daemon=True).start()
    yield listener
    listener.shutdown()
    listener.server_close()


def test_they_are_run_only_when_they_are_named():
    usual = burn_plan(site_design(), ["train-001"], Burning(cooldown=0, at_once=1)).owed["train-001"]
    requests = burn_plan(site_design(), ["train-001"], Burning(cooldown=0, at_once=1, tests=SMOKE))
    assert not set(SMOKE) & set(usual)
    assert set(SMOKE) <= set(burnin_tests())
    assert [ask.command for ask in requests.asks["train-001"]] == [
        ("rackwright-burn", "finetune", "--python", "python3"),
        ("rackwright-burn", "serving", "--python", "python3"),
    ]


def test_they_and_the_test_of_neighbours_are_optional():
    assert {identity for identity, entry in library().items() if entry.optional} == {*SMOKE, "neighbours"}
    assert all(library()[identity].load for identity in SMOKE)


def test_an_answer_comes_word_by_word_and_is_timed(server):
    tokens, first, seconds = ask.ask(server.server_address[1], [5, 7])
    assert tokens == [(8 + number) % 100 for number in range(ask.MOST)]
    assert 0 < first <= seconds


def test_failed_requests_are_counted_and_leave_no_digest(server):
    answer.CompletionHandler.writer.breaks = True
    replicas = [{}]
    ask._replica(replicas, 0, {"port": server.server_address[1], "product_name": "X"}, 3)
    assert (replicas[0]["requests"], replicas[0]["failed"], replicas[0]["digest"], replicas[0]["tokens_per_s"]) == (
        3,
        3,
        "",
        [],
    )


def test_a_server_that_never_started_answers_nothing():
    replicas = [{}]
    ask._replica(replicas, 0, {}, 2)
    assert (replicas[0]["failed"], replicas[0]["product_name"]) == (2, "")


def test_equal_answers_have_equal_digests(server):
    replicas = [{}, {}]
    for index in (0, 1):
        ask._replica(replicas, index, {"port": server.server_address[1]}, 4)
    assert replicas[0]["digest"] == replicas[1]["digest"] != ""


def test_what_is_no_number_is_none():
    assert [train.number(value) for value in (float("nan"), float("inf"), 1.23456789)] == [None, None, 1.234568]


def test_without_pytorch_the_tool_says_so(capfd):
    assert burn.main(["finetune", "--python", "/nowhere/python"]) == burn.CANNOT
    assert "acceptance.torch_python" in capfd.readouterr().err
    assert burn.main(["serving"]) == burn.USAGE


@pytest.mark.parametrize("job", ["finetune", "serving"])
def test_the_packed_probe_brings_every_module_that_a_job_starts(job, tmp_path):
    python = tmp_path / "python"
    python.write_text(
        f"""#!/bin/sh
[ "$2" = rackwright_smoke.device ] && exec echo '{{"kind": "cpu", "count": 1}}'
exec {sys.executable} -c "import $2"
"""
    )
    python.chmod(0o755)
    words = [sys.executable, str(build_probe(tmp_path)), "burn", job, "--python", str(python)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_one_failing_rank_ends_the_others():
    fails = ([sys.executable, "-c", "raise SystemExit(4)"], dict(os.environ))
    waits = ([sys.executable, "-c", "import time; time.sleep(3600)"], dict(os.environ))
    assert jobs._ranks([waits, fails]) == 4


def test_a_line_of_a_rank_is_one_write(capfd):
    train.tell({"line": "rank", "rank": 1})
    assert json.loads(capfd.readouterr().out) == {"line": "rank", "rank": 1}
