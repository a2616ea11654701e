"""What the server answers about nodes and groups, over real sockets."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing

from rackwright import design, spec
from rackwright.flow.acceptance_board import AcceptanceBoard, SiteBoard
from tests import build
from tests.unit.serve.conftest import NODES, bearer, get, play


def test_each_kind_of_subject(site) -> None:
    site.decide(refused=[NODES[0]])
    token = site.token()

    async def test() -> None:
        async with site.serving() as session:
            held, released = [await get(session, f"/v1/nodes/{name}", token) for name in NODES[:2]]
            assert (held["state"], held["reason"], held["since"]) == (
                "held",
                "gpu.count: 7 of 8",
                "2026-11-21T09:00:00+00:00",
            )
            assert (released["state"], released["kind"], released["gate"]) == ("released", "node", "handover")
            assert released["run"].startswith("20261121T09")
            for path in ("racks", "fabrics", "pools", "units"):
                items = (await get(session, f"/v1/{path}", token))["items"]
                assert "held" in {item["state"] for item in items}, path
                alone = await get(session, f"/v1/{path}/{items[0]['name']}", token)
                assert alone == items[0]
            whole_site = await get(session, "/v1/site", token)
            assert (whole_site["kind"], whole_site["name"], whole_site["state"]) == ("site", "h100-pod", "held")
            assert whole_site["held_nodes"] == [NODES[0]]

    play(test())


def test_lists_come_in_pages_and_by_state(site) -> None:
    site.decide(refused=NODES[:3])
    token = site.token()

    async def test() -> None:
        async with site.serving() as session:
            first = await get(session, "/v1/nodes?limit=2&state=held", token)
            rest = await get(session, f"/v1/nodes?limit=2&state=held&after={first['next']}", token)
            assert [item["name"] for item in (*first["items"], *rest["items"])] == NODES[:3]
            assert rest["next"] is None

    play(test())


def test_a_new_decision_is_answered_at_once(site) -> None:
    token = site.token()

    async def test() -> None:
        async with site.serving() as session:
            before = await get(session, f"/v1/nodes/{NODES[0]}", token)
            assert (before["state"], before["since"]) == ("held", None)
            site.decide()
            assert (await get(session, f"/v1/nodes/{NODES[0]}", token))["state"] == "released"
            assert (await get(session, "/v1/site", token))["state"] == "released"
            site.decide(refused=[NODES[0]], nodes=NODES[:1])
            assert (await get(session, f"/v1/nodes/{NODES[0]}", token))["state"] == "held"
            assert (await get(session, "/v1/site", token))["state"] == "held"

    play(test())


def test_who_waits_is_answered_when_it_is_released(site) -> None:
    site.bound(wait_seconds=60)
    token = site.token()

    async def test() -> None:
        async with site.serving() as session:
            waiting = asyncio.create_task(get(session, f"/v1/nodes/{NODES[0]}?wait=60", token))
            await get(session, "/healthz")
            site.decide()
            await get(session, "/healthz")  # as the watch does: somebody reads the ledger again
            assert (await waiting)["state"] == "released"

    play(test())


def test_who_waits_in_vain_gets_the_reason(site) -> None:
    site.bound(wait_seconds=0)
    site.decide(refused=NODES)
    token = site.token()

    async def test() -> None:
        async with site.serving() as session:
            assert (await get(session, f"/v1/nodes/{NODES[0]}?wait=9", token))["state"] == "held"

    play(test())


def test_wrong_questions_are_answered_with_what_is_wrong(site) -> None:
    token = site.token()
    questions = {
        "/v1/nodes/nobody": (404, "the site has no node nobody"),
        "/v1/moons": (404, "there is no moons"),
        "/v1/nodes?state=maybe": (400, "give held or released"),
        "/v1/nodes?limit=0": (400, "give 1 to 1000"),
        "/v1/nodes?limit=-1": (400, "give a whole number"),
        "/v1/nodes?limit=99999999999999999999": (400, "give a whole number"),
        "/v1/nodes?after=nobody": (400, "no node of that name"),
        f"/v1/nodes/{NODES[0]}?wait=x": (400, "give a whole number"),
        "/elsewhere": (404, "see /openapi.json"),
    }

    async def test() -> None:
        async with site.serving() as session:
            for path, (status, words) in questions.items():
                answer = await get(session, path, token, status)
                assert words in answer["detail"], path
                assert answer["status"] == status
            async with session.delete("/v1/site", headers=bearer(site.token("release", "root"))) as answer:
                assert (answer.status, answer.headers["allow"]) == (405, "GET,HEAD")
                assert answer.content_type == "application/problem+json"

    play(test())


def test_changed_decisions_are_no_answer(site) -> None:
    """Whoever writes into the database without the chain releases nothing."""
    site.decide(refused=NODES)
    token = site.token()

    async def test() -> None:
        async with site.serving() as session:
            assert (await get(session, f"/v1/nodes/{NODES[0]}", token))["state"] == "held"
            with closing(sqlite3.connect(site.folder / "ledger.db")) as raw, raw:
                raw.execute("UPDATE decisions SET accepted = 1")
            site.ledger.begin("h100-pod", "collect", {})
            answer = await get(session, f"/v1/nodes/{NODES[0]}", token, 503)
            assert "changed after it was written" in answer["detail"]
            health = await get(session, "/healthz", status=503)
            assert "decisions[" not in health["detail"]
            assert "rackwright_up 0" in await text(session, "/metrics", token)

    play(test())


def test_a_ledger_that_cannot_be_read_is_no_answer(site) -> None:
    site.decide()
    token = site.token()

    async def test() -> None:
        async with site.serving() as session:
            await get(session, f"/v1/nodes/{NODES[0]}", token)
            with closing(sqlite3.connect(site.folder / "ledger.db")) as raw, raw:
                raw.execute("DROP TABLE links")
            await get(session, f"/v1/nodes/{NODES[0]}", token, 503)

    play(test())


async def text(session, path: str, token: str) -> str:
    async with session.get(path, headers=bearer(token)) as answer:
        assert answer.status == 200
        return await answer.text()


def test_numbers_for_prometheus(site) -> None:
    site.decide(refused=NODES[:2])
    token = site.token()

    async def test() -> None:
        async with site.serving() as session:
            await get(session, "/v1/site", status=401)
            page = await text(session, "/metrics", token)
            lines = page.splitlines()
            assert 'rackwright_subjects{kind="node",state="held"} 2' in lines
            assert f'rackwright_node_released{{node="{NODES[2]}"}} 1' in lines
            assert 'rackwright_requests_total{status="401"} 1' in lines
            assert "rackwright_failed_logins_total 1" in lines
            names = {line.partition("{")[0].partition(" ")[0] for line in lines if not line.startswith("#")}
            assert names == {line.split()[2] for line in lines if line.startswith("# TYPE")} - {
                "rackwright_webhook_waiting", "rackwright_webhook_given_up",
            }  # fmt: skip
            assert page.endswith("\n")

    play(test())


def test_a_release_is_requested_of_the_gate(site) -> None:
    site.decide(refused=NODES[:1])
    token = site.token("release")

    async def post(session, name: str, status: int):
        async with session.post(f"/v1/nodes/{name}/release", headers=bearer(token)) as answer:
            assert answer.status == status
            return await answer.json(content_type=None)

    async def test() -> None:
        async with site.serving() as session:
            refused = await post(session, NODES[0], 409)
            assert (refused["acceptance"]["state"], refused["detail"]) == (
                "held",
                f"{NODES[0]} stays held: gpu.count: 7 of 8",
            )
            assert (await post(session, NODES[1], 200))["state"] == "released"
            await post(session, "nobody", 404)
            assert site.released == NODES[:2]

    play(test())


def test_a_design_that_changes_holds_what_was_decided_before(site) -> None:
    """The site file is read again; while it has mistakes nothing is answered."""
    site.decide()
    token = site.token()
    file = site.folder / "site.yaml"
    file.write_text(build.EXAMPLE.read_text())

    def make_board() -> AcceptanceBoard:
        loaded = spec.load(file)
        return AcceptanceBoard(design.expand(loaded.site, loaded.catalog), site.ledger)

    site.board = SiteBoard(file, make_board)

    async def test() -> None:
        async with site.serving() as session:
            assert (await get(session, f"/v1/nodes/{NODES[0]}", token))["state"] == "released"
            file.write_text(build.EXAMPLE.read_text().replace("10.64.", "10.65."))
            answer = await get(session, f"/v1/nodes/{NODES[0]}", token)
            assert (answer["state"], "the design of the node was changed" in answer["reason"]) == ("held", True)
            file.write_text("include: [part.yaml]\n" + build.EXAMPLE.read_text())
            part = site.folder / "part.yaml"
            part.write_text("tenants: []\n")
            assert (await get(session, f"/v1/nodes/{NODES[0]}", token))["state"] == "released"
            part.write_text("tenants: nobody\n")
            await get(session, f"/v1/nodes/{NODES[0]}", token, 503)
            file.write_text("site: nothing\n")
            await get(session, f"/v1/nodes/{NODES[0]}", token, 503)
            file.write_text(build.EXAMPLE.read_text())
            assert (await get(session, f"/v1/nodes/{NODES[0]}", token))["state"] == "released"

    play(test())
