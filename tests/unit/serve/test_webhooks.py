"""Messages to webhooks: signed, in order, stored, sent again, and to nobody else."""

from __future__ import annotations

import base64
import hmac
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from hashlib import sha256

import aiohttp
import pytest
from aiohttp import web

from rackwright.model.access import Secret
from rackwright.model.site import Webhook
from rackwright.serve.webhooks import WebhookCaller, key_bytes, signature
from tests.unit.serve.conftest import NODES, play

KEY = Secret("whsec_" + base64.b64encode(b"k" * 24).decode())
PUBLISHED = {
    "key": Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
    "message": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "timestamp": 1614265330,
    "body": b'{"test": 2432232314}',
}
"""The example of Standard Webhooks (standard-webhooks/standard-webhooks, libraries/python tests, read 2026-11-25)."""


class Receiver:
    """Somebody who is called."""

    def __init__(self) -> None:
        self.answers: list[int] = []
        """Status of the next answers; 204 when there is none."""
        self.received: list[tuple[dict[str, str], bytes]] = []
        self.followed = 0
        self.url = ""

    async def hook(self, request: web.Request) -> web.Response:
        self.received.append((dict(request.headers), await request.read()))
        status = self.answers.pop(0) if self.answers else 204
        return web.Response(status=status, headers={"location": "/elsewhere"} if status == 307 else None)

    async def elsewhere(self, _: web.Request) -> web.Response:
        self.followed += 1
        return web.Response()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        app = web.Application()
        app.router.add_post("/hook", self.hook)
        app.router.add_post("/elsewhere", self.elsewhere)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}/hook"
        yield
        await runner.cleanup()

    @property
    def bodies(self) -> list[dict]:
        return [json.loads(body) for _, body in self.received]


@asynccontextmanager
async def calling(site, receiver, **webhook) -> AsyncIterator[Receiver]:
    """An outbox with one webhook, and `send`, which delivers what is due."""
    async with receiver.listening():
        site.webhooks = [Webhook(name="nico", url=receiver.url, secret_env="KEY", **webhook)]
        yield receiver


async def send(site, outbox, at: float = 0.0) -> list[bool]:
    """Deliver until nothing is due."""
    caller = WebhookCaller(outbox, site.webhooks, {"nico": KEY}, site.bounds, lambda: at, site.log.append)
    results = []
    async with aiohttp.ClientSession() as session:
        while not results or results[-1]:
            results.append(await caller.deliver(session, site.webhooks[0]))
    return results


async def statuses(site, outbox) -> None:
    await site.context(outbox).watch.statuses()


def test_the_signature_is_that_of_standard_webhooks() -> None:
    assert signature(**PUBLISHED) == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_key_is_text_or_base64() -> None:
    assert key_bytes(Secret("plain")) == b"plain"
    with pytest.raises(ValueError, match="base64"):
        key_bytes(Secret("whsec_!"))


def test_changes_are_sent_signed(site) -> None:
    site.decide()

    async def test() -> None:
        async with calling(site, Receiver(), kinds=["node"]) as receiver:
            with closing(site.outbox()) as outbox:
                await statuses(site, outbox)
                assert await send(site, outbox) == [False]  # the first time there is nothing to compare with
                site.decide(refused=[NODES[1]])
                await statuses(site, outbox)
                assert await send(site, outbox, at=1000.0) == [True, False]
            [(headers, body)] = receiver.received
            [change] = json.loads(body)["data"]["changes"]
            assert (change["name"], change["state"]) == (NODES[1], "held")
            signed = f"{headers['webhook-id']}.1000.".encode() + body
            expected = base64.b64encode(hmac.new(b"k" * 24, signed, sha256).digest()).decode()
            assert headers["webhook-signature"] == f"v1,{expected}"
            assert headers["webhook-timestamp"] == "1000"

    play(test())


def test_a_message_that_nobody_took_is_sent_again_after_a_restart(site) -> None:
    site.decide()

    async def test() -> None:
        async with calling(site, Receiver()) as receiver:
            receiver.answers = [500]
            with closing(site.outbox()) as outbox:
                await statuses(site, outbox)
                site.decide(refused=[NODES[1]])
                await statuses(site, outbox)
                assert await send(site, outbox) == [False]
                assert "did not take" in site.log[-1]
                assert await send(site, outbox, at=4.0) == [False]  # not before the pause is over
                assert outbox.counts() == {"nico": (1, 0)}
            with closing(site.outbox()) as outbox:
                assert await send(site, outbox, at=5.0) == [True, False]
                assert outbox.counts() == {"nico": (0, 0)}
            first, second = receiver.received
            assert first[0]["webhook-id"] == second[0]["webhook-id"]
            assert first[1] == second[1]

    play(test())


def test_what_changed_while_the_server_was_down_is_sent_when_it_starts(site) -> None:
    site.decide(refused=NODES)

    async def test() -> None:
        async with calling(site, Receiver(), kinds=["site"]) as receiver:
            with closing(site.outbox()) as outbox:
                await statuses(site, outbox)
            site.decide()
            with closing(site.outbox()) as outbox:
                await statuses(site, outbox)
                await send(site, outbox)
            assert [change["state"] for body in receiver.bodies for change in body["data"]["changes"]] == ["released"]

    play(test())


def test_tries_are_bounded_and_messages_stay_in_order(site) -> None:
    site.bound(tries=2)
    site.decide()

    async def test() -> None:
        async with calling(site, Receiver(), kinds=["node"]) as receiver:
            receiver.answers = [500, 307]
            with closing(site.outbox()) as outbox:
                await statuses(site, outbox)
                for refused in ([NODES[0]], []):
                    site.decide(refused=refused)
                    await statuses(site, outbox)
                assert await send(site, outbox) == [False]
                assert len(receiver.received) == 1  # the second message waits for the first
                assert await send(site, outbox, at=60.0) == [False]
                assert "given up" in site.log[-1]
                assert await send(site, outbox, at=60.0) == [True, False]
                assert outbox.counts() == {"nico": (0, 1)}
            assert receiver.followed == 0
            assert [body["data"]["changes"][0]["state"] for body in receiver.bodies] == ["held", "held", "released"]

    play(test())


def test_many_changes_are_sent_in_bounded_messages(site) -> None:
    site.bound(message_changes=10)
    site.decide()

    async def test() -> None:
        async with calling(site, Receiver(), kinds=["node"]) as receiver:
            with closing(site.outbox()) as outbox:
                await statuses(site, outbox)
                site.decide(refused=NODES)
                await statuses(site, outbox)
                await send(site, outbox)
            counts = [len(body["data"]["changes"]) for body in receiver.bodies]
            assert (sum(counts), max(counts)) == (len(NODES), 10)

    play(test())


def test_messages_of_a_webhook_that_is_no_longer_declared_are_dropped(site) -> None:
    site.decide()

    async def test() -> None:
        async with calling(site, Receiver()):
            with closing(site.outbox()) as outbox:
                await statuses(site, outbox)
                site.decide(refused=NODES)
                await statuses(site, outbox)
            site.webhooks = []
            with closing(site.outbox()) as outbox:
                assert outbox.next("nico") is None

    play(test())


def test_an_address_where_nobody_listens_is_tried_again(site) -> None:
    site.decide()
    site.webhooks = [Webhook(name="nico", url="http://127.0.0.1:1/hook", secret_env="KEY")]

    async def test() -> None:
        with closing(site.outbox()) as outbox:
            await statuses(site, outbox)
            site.decide(refused=NODES)
            await statuses(site, outbox)
            assert await send(site, outbox) == [False]
            assert outbox.counts() == {"nico": (1, 0)}
        assert "ClientConnectorError" in site.log[-1]

    play(test())
