"""A scalable unit in waves: canaries first, and an end where a wave goes badly."""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.flow.unit_waves import bring_in_waves
from rackwright.onboard.waves import Tolerance, Wave
from rackwright.provision.result import MachineResult, UpResult

WAVES = [Wave("canary", ("n1",)), Wave("r01", ("n2", "n3")), Wave("r02", ("n4", "n5"))]


def run(*failing: str, waves: Sequence[Wave] = WAVES) -> tuple[list[Sequence[str]], UpResult]:
    """The calls, and the result of a run in which `failing` machines fail."""
    calls: list[Sequence[str]] = []

    def bring(nodes: Sequence[str]) -> UpResult:
        calls.append(nodes)
        machines = {name: MachineResult(name, "failed" if name in failing else "created") for name in nodes}
        return UpResult("up", "pod-su1", machines, (), 1.0)

    return calls, bring_in_waves(waves, bring, Tolerance())


def test_every_wave_is_brought_up() -> None:
    calls, result = run()
    assert calls == [("n1",), ("n2", "n3"), ("n4", "n5")]
    assert (result.good, result.counts["created"], result.seconds) == (True, 5, 3.0)


def test_a_failed_canary_ends_the_run() -> None:
    calls, result = run("n1")
    assert calls == [("n1",)]
    assert (result.counts["failed"], result.counts["skipped"]) == (1, 4)
    assert (
        result.machines["n5"].error
        == "1 of 1 machines of wave canary failed, more than may: put them right, then run again"
    )


def test_a_wave_bears_a_tenth_and_at_least_one() -> None:
    assert run("n2")[1].counts == {"created": 4, "updated": 0, "same": 0, "deleted": 0, "failed": 1, "skipped": 0}
    calls, result = run("n2", "n3")
    assert calls == [("n1",), ("n2", "n3")]
    assert [result.machines[name].outcome for name in ("n1", "n4")] == ["created", "skipped"]
    assert run("n4", "n5")[1].counts["failed"] == 2
