"""What preflight prints: one line for what is true of many machines."""

from __future__ import annotations

from rackwright.cli.provision.preflight import _lines
from rackwright.preflight.result import Outcome, ProbeResult


def result(subject: str, outcome: Outcome, text: str) -> ProbeResult:
    return ProbeResult("onboard", "ssh.login", subject, outcome, text, 0.1)


def test_equal_sentences_share_a_line_and_others_do_not() -> None:
    results = [
        *(result(f"train-{number:03d}", "fail", "no known_hosts file") for number in (1, 2, 3)),
        result("train-004", "fail", "train-004 refuses the key"),
        result("train-005", "pass", "root"),
        result("train-006", "fail", "no known_hosts file"),
    ]
    assert [*_lines(results, {"ssh.login train-006": "2026-11-26T10:00:00+00:00"})] == [
        "ssh.login              1 of 6 passed",
        "  train-[001-003]: no known_hosts file",
        "  train-004 refuses the key",
        "  train-006: no known_hosts file (it passed 2026-11-26T10:00:00+00:00)",
    ]
