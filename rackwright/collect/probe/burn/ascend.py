"""Load on Ascend NPUs by Huawei's tool ascend-dmi of the MindCluster toolbox; npu-smi identifies the NPUs.

Prints sections (`sections`). ascend-dmi numbers logical devices, npu-smi cards and their chips: ``npu-smi info -m``
maps one to the other.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from .drive import tool
from .failure import Missing
from .sections import Stopwatch, read, sampled, say

TOOLBOX = "/usr/local/Ascend/toolbox/latest/Ascend-DMI/bin"
MAPPED = re.compile(r"^\s*(\d+)\s+(\d+)\s+(\d+)\s+(?:(\d+)\s+)?(?=\S*[A-Za-z])", re.MULTILINE)
"""NPU ID, Chip ID, Chip Logic ID, on Atlas A3 Chip Phy-ID, and the name; the line of the microcontroller has dashes for
both.
"""
PRECISION, TIMES = "fp16", "80"
"""Execute times in hundred thousands, the largest that it accepts."""
COPY_BYTES, COPY_TIMES, MEMORY_RUNS = str(512 << 20), "50", 5


def gemm(seconds: float) -> int:
    """Run products on every NPU, run after run for `seconds`, and print the samples of npu-smi meanwhile."""
    program, cards, clock = tool("ascend-dmi", TOOLBOX), _cards(), Stopwatch()
    logic = sorted(cards)

    def look() -> None:
        for device in logic:
            printed = read(["npu-smi", "info", "-t", "common", "-i", str(cards[device].card)])
            say("sample", printed, device=device, **cards[device].which, second=clock.now())

    def work(number: int) -> None:
        words = [program, "-f", "-t", PRECISION, "-d", str(logic[number]), "--et", TIMES, "-q"]
        while clock.now() < seconds:
            began = clock.now()
            printed = read(words)
            facts = {"device": logic[number], "precision": PRECISION, "from": began, "until": clock.now()}
            say("gemm", printed, **facts)

    sampled(look, len(logic), work)
    return 0


def memory() -> int:
    """Run copies within the memory of every NPU."""
    program, cards = tool("ascend-dmi", TOOLBOX), _cards()
    for device in sorted(cards):
        for _ in range(MEMORY_RUNS):
            say("memory", read([program, "--bw", "-t", "d2d", "-d", str(device), "-q"]), device=device)
    return 0


def copies() -> int:
    """Run copies between host and every NPU, and from every NPU to every other one."""
    program, cards = tool("ascend-dmi", TOOLBOX), _cards()
    size = ["-s", COPY_BYTES, "--et", COPY_TIMES, "-q"]
    for way, name in (("h2d", "host_to_device"), ("d2h", "device_to_host")):
        for device in sorted(cards):
            say("copy", read([program, "--bw", "-t", way, "-d", str(device), *size]), direction=name, device=device)
    for source in sorted(cards):
        for target in sorted(set(cards) - {source}):
            words = [program, "--bw", "-t", "p2p", "-ds", str(source), "-dd", str(target), *size]
            say("copy", read(words), direction="device_to_device", device=source, target=target)
    return 0


class Chip(NamedTuple):
    """The card and chip of a logical device."""

    card: int
    chip: int
    number: int
    """The number that npu-smi uses: of the chip if the tool numbers chips, otherwise of the card."""
    several: bool
    """Whether the card has several chips."""

    @property
    def which(self) -> dict[str, int]:
        """Index of the chip on its card; empty if the card has one chip."""
        return {"chip": self.chip} if self.several else {}


def _cards() -> dict[int, Chip]:
    """Logical device -> its chip; prints the sections that identify the devices."""
    say("dmi", read([tool("ascend-dmi", TOOLBOX), "-v"]))
    rows = MAPPED.findall(read(["npu-smi", "info", "-m"]))
    on_card = Counter(card for card, *_ in rows)
    cards = {
        int(logic): Chip(int(card), int(chip), int(number or card), on_card[card] > 1)
        for card, chip, logic, number in rows
    }
    if not cards:
        raise Missing("npu-smi info -m maps no chip")
    for device, place in sorted(cards.items()):
        words = ["npu-smi", "info", "-t", "board", "-i", str(place.card)]
        printed = read(words) + ("\n" + read([*words, "-c", str(place.chip)]) if place.several else "")
        say("board", printed, device=device, card=place.number, **place.which)
    return cards
