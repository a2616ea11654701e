"""How many machines of a rack start at the same time."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from rackwright.redfish import concurrency
from rackwright.redfish.concurrency import PowerOns


def most_at_once(config: dict[str, str], racks: list[str]) -> dict[str, int]:
    """By rack: how many of its machines started at the same time, one for each entry of `racks`."""
    running: Counter[str] = Counter()
    most: Counter[str] = Counter()

    async def start(power_ons: PowerOns, rack: str) -> None:
        async with power_ons.place(rack):
            running[rack] += 1
            most[rack] = max(most[rack], running[rack])
            await asyncio.sleep(0)
            running[rack] -= 1

    async def work() -> None:
        power_ons = PowerOns(config)
        await asyncio.gather(*(start(power_ons, rack) for rack in racks))

    asyncio.run(work())
    return dict(most)


def test_racks_start_beside_each_other_and_their_machines_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(concurrency.limits(), "power_on_seconds", 0)
    assert most_at_once({"powerOnsPerRack": "2"}, ["r1"] * 6 + ["r2"] * 3) == {"r1": 2, "r2": 2}
    assert most_at_once({}, ["r1"] * 9) == {"r1": concurrency.limits()["power_ons_per_rack"]}
    assert most_at_once({"powerOnsPerRack": "1"}, [""] * 3) == {"": 3}, "no rack is known"


def test_the_next_one_waits_after_a_start() -> None:
    async def work() -> list[float]:
        loop, starts = asyncio.get_running_loop(), []
        delays: list[float] = []
        power_ons = PowerOns({"powerOnsPerRack": "1", "powerOnSeconds": "30"})

        def later(delay: float, call: object) -> None:
            delays.append(delay)
            assert callable(call)
            loop.call_soon(call)

        async def start() -> None:
            async with power_ons.place("r1"):
                starts.append(1)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(loop, "call_later", later)
            await asyncio.gather(start(), start())
        assert len(starts) == 2
        return delays

    assert asyncio.run(work()) == [30, 30]


def test_each_number_has_its_reason() -> None:
    text = (concurrency.Path(concurrency.__file__).with_name("concurrency.yaml")).read_text(encoding="utf-8")
    for name in concurrency.limits():
        reason = text.split(f"\n{name}:")[1].split("\n", 1)[1].split("\n", 3)[0]
        assert reason.startswith("# "), name
