"""Transport between NPUs during a test: counters of their network ports before and after it, rates of their HCCS links
during it.

hccl_test itself reports nothing about paths. If a tool is missing or refuses, its lines are omitted; then nothing is
proven.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable

from .failure import Missing
from .sections import read
from .together import together

SENT = re.compile(r"^\s*mac_[tr]x_total_oct_num\s*:.*$", re.MULTILINE)
MAPPED = re.compile(r"^\s*(\d+)\s+(\d+)\s+(\d+)\s+\S", re.MULTILINE)
"""NPU ID, Chip ID, Chip Logic ID of ``npu-smi info -m``."""
WINDOW_MS = 1000


def around(count: int, test: Callable[[], int]) -> int:
    """Run `test`, and print the counters before and after it and the rates of the links in windows of a second; returns
    its status.
    """
    _ports(count, "before")
    cards, outputs, ends = _cards(), [""] * count, threading.Event()

    def follow(rank: int) -> None:
        card, chip = cards.get(rank, (str(rank), "0"))
        words = ["npu-smi", "info", "-t", "hccs-bw", "-i", card, "-c", chip, "-time", str(WINDOW_MS)]
        try:
            while not ends.wait(0.1):
                outputs[rank] += read(words).rstrip() + "\n"
        except Missing:
            return

    watcher = threading.Thread(target=together, args=(count, follow), daemon=True)
    watcher.start()
    try:
        status = test()
    finally:
        ends.set()
        watcher.join()
    _ports(count, "after")
    for rank, text in enumerate(outputs):
        if text:
            sys.stdout.write(f"# hccs {rank}\n{text}")
    sys.stdout.flush()
    return status


def _ports(count: int, when: str) -> None:
    for rank in range(count):
        try:
            lines = SENT.findall(read(["hccn_tool", "-i", str(rank), "-stat", "-g"]))
        except Missing:
            continue
        sys.stdout.write("\n".join([f"# port {when} {rank}", *(line.strip() for line in lines), ""]))
    sys.stdout.flush()


def _cards() -> dict[int, tuple[str, str]]:
    """Logical device -> card and chip, as npu-smi expects them; empty if it does not report them."""
    try:
        return {int(logic): (card, chip) for card, chip, logic in MAPPED.findall(read(["npu-smi", "info", "-m"]))}
    except Missing:
        return {}
