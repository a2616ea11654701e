"""What waits for acceptance, against a real `rackwright serve` on a loopback socket."""

from __future__ import annotations

import asyncio

import pytest

from rackwright.base.errors import OutsideError, UsageError
from rackwright.plugin import acceptance_wire
from rackwright.plugin.acceptance import TOKEN_VARIABLE, AcceptedSubjects
from tests.unit.serve.conftest import NODES, empty_ledger, play, site  # noqa: F401 - fixtures


def inputs(served, **change) -> dict[str, str]:
    return {"kind": "node", "name": NODES[0], "server": f"http://127.0.0.1:{served.port}", **change}


def wait(served, seconds: float = 0.01, **change):
    """The state after a wait, and the sentences that were sent."""
    sentences: list[str] = []

    async def say(sentence: str) -> None:
        sentences.append(sentence)

    async def run():
        async with served.serving():
            subjects = AcceptedSubjects({TOKEN_VARIABLE: served.token(name=f"t{len(served.log)}")})
            return await subjects.bring(inputs(served, **change), seconds, say)

    return play(run()), sentences


def test_a_released_subject_is_there_at_once(site) -> None:  # noqa: F811
    site.decide()
    state, sentences = wait(site)
    assert (state["state"], state["since"], sentences) == ("released", "2026-11-21T09:00:00+00:00", [])
    assert wait(site, kind="unit", name="train-su1")[0]["state"] == "released"
    assert wait(site, kind="site", name="h100-pod")[0]["state"] == "released"


def test_a_held_one_is_waited_for_with_its_reason(site) -> None:  # noqa: F811
    site.decide(refused=NODES[:1])
    with pytest.raises(
        OutsideError, match=r"node train-001 is not released after 0.01 s: gpu.count: 7 of 8; act on it"
    ):
        wait(site)


def test_it_goes_on_when_the_gate_opens(site) -> None:  # noqa: F811
    site.decide(refused=NODES[:1])

    async def run():
        async def say(sentence: str) -> None:
            assert sentence == "waits: gpu.count: 7 of 8"
            site.decide()

        async with site.serving():
            subjects = AcceptedSubjects({TOKEN_VARIABLE: site.token()})
            return await subjects.bring(inputs(site), 60, say)

    site.bound(wait_seconds=0)
    assert play(run())["state"] == "released"


def test_a_subject_that_the_site_does_not_have(site) -> None:  # noqa: F811
    with pytest.raises(UsageError, match="has no node nobody"):
        wait(site, name="nobody")


def test_a_server_that_is_away_is_waited_for(site) -> None:  # noqa: F811
    subjects = AcceptedSubjects({TOKEN_VARIABLE: "x"})

    async def say(_: str) -> None:
        return

    with pytest.raises(OutsideError, match=r"cannot be reached .* check that `rackwright serve` runs; act on it"):
        play(subjects.bring(inputs(site, server="http://127.0.0.1:1"), 0.01, say))


def test_a_token_that_is_wrong_or_missing_ends_the_wait(site) -> None:  # noqa: F811
    async def run(environment) -> None:
        async with site.serving():
            await AcceptedSubjects(environment).read(inputs(site))

    with pytest.raises(OutsideError, match="answers 401: send 'Authorization"):
        play(run({TOKEN_VARIABLE: "wrong"}))
    with pytest.raises(UsageError, match="RACKWRIGHT_SERVE_TOKEN is not set"):
        play(run({}))


def test_a_refresh_shows_that_it_is_held_again(site) -> None:  # noqa: F811
    site.decide()
    state, _ = wait(site)
    assert acceptance_wire.differences(state, inputs(site)) == ([], [], [])
    site.decide(refused=NODES[:1])

    async def run():
        async with site.serving():
            subjects = AcceptedSubjects({TOKEN_VARIABLE: site.token(name="again")})
            assert await subjects.read(inputs(site, name="nobody")) is None
            return await subjects.read(inputs(site))

    held = play(run())
    assert (held["state"], held["reason"]) == ("held", "gpu.count: 7 of 8")
    assert acceptance_wire.differences(held, inputs(site))[1] == ["state"]


@pytest.mark.parametrize(
    ("change", "name"),
    [({"kind": "moon"}, "kind"), ({"server": "http://10.0.0.1"}, "server"), ({"server": "ftp://x"}, "server"),
     ({"server": "https://u:p@x"}, "server"), ({"server": "http://[::"}, "server"), ({"more": "x"}, "more")],
)  # fmt: skip
def test_wrong_inputs_are_named(site, change, name) -> None:  # noqa: F811
    assert [place for place, _ in acceptance_wire.failures(inputs(site, **change), set())] == [name]


@pytest.mark.parametrize("server", ["https://x:8443", "http://localhost:1", "http://127.0.0.1:1", "http://[::1]:1"])
def test_right_inputs(site, server) -> None:  # noqa: F811
    assert acceptance_wire.failures(inputs(site, server=server), set()) == []
    old = inputs(site, state="released")
    assert acceptance_wire.differences(old, inputs(site, name="x"))[2] == ["name"]


def test_a_wait_can_be_cancelled(site) -> None:  # noqa: F811
    site.decide(refused=NODES[:1])

    async def run() -> None:
        async def say(_: str) -> None:
            task.cancel()

        async with site.serving():
            subjects = AcceptedSubjects({TOKEN_VARIABLE: site.token()})
            task = asyncio.ensure_future(subjects.bring(inputs(site), 600, say))
            with pytest.raises(asyncio.CancelledError):
                await task

    site.bound(wait_seconds=0)
    play(run())
