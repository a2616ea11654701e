import os
import pty
import re

import pytest

from rackwright.cli.progress import StepProgress

STEPS = ["design", "onboard"]


def show(progress):
    with progress:
        progress.start("onboard", 4)
        progress.advance("train-001 base: Set limits")
        progress.note("a remark")
        progress.end("onboard", "done", "4 hosts are as declared")
        progress.start("judge")
        progress.end("judge", "failed", "nothing to judge")


def test_without_a_terminal_there_is_one_line_per_step_and_remark(capsys):
    show(StepProgress(STEPS))
    out, err = capsys.readouterr()
    assert out == ""
    lines = [re.sub(r"\([\d.]+ s\)", "(time)", line) for line in err.splitlines()]
    assert lines == [
        "    a remark",
        "✓ 2/2 onboard    4 hosts are as declared (time)",
        "✗ judge      nothing to judge (time)",
    ]


def test_quiet_says_nothing(capsys):
    show(StepProgress(STEPS, quiet=True))
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(("total", "count"), [(4, "1/4"), (None, "1")])
def test_on_a_terminal_the_bar_counts_and_starts_anew_with_each_step(monkeypatch, total, count):
    ours, terminal = pty.openpty()
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    with os.fdopen(terminal, "w") as stderr:
        monkeypatch.setattr("sys.stderr", stderr)
        with StepProgress(STEPS) as progress:
            progress.start("design", 9)
            progress.advance("a", 7)
            progress.start("onboard", total)
            progress.advance("train-001 base: " + "word " * 40)
            progress._bar.refresh()
            stderr.flush()
            text = ""
            for _ in range(20):
                text += os.read(ours, 65536).decode() if "…" not in text else ""
    os.close(ours)
    last = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r", "\n").strip().splitlines()[-1]
    assert re.search(rf"2/2 onboard +━+.* {count} +train-001 base: (word )+…", last)
    assert len(last) <= 120
