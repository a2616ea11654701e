"""Delivers messages to webhooks, signed according to Standard Webhooks (standardwebhooks.com, specification 1.0.0).

Each webhook gets its messages in order. Redirects and proxies of the environment are not followed: only the declared
URL is called.
"""

from __future__ import annotations

import asyncio
import base64
import hmac
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256

import aiohttp

from rackwright.model.access import Secret
from rackwright.model.site import Webhook
from rackwright.serve.bounds import ServerBounds
from rackwright.serve.outbox import Message, Outbox

Log = Callable[[str], None]
SUCCESS = range(200, 300)
PREFIX = "whsec_"


def signature(key: Secret, message: str, timestamp: int, body: bytes) -> str:
    """Value of the header ``webhook-signature``."""
    signed = f"{message}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key_bytes(key), signed, sha256).digest()).decode()


def key_bytes(key: Secret) -> bytes:
    """The bytes of a key: base64 after ``whsec_``, otherwise the text itself. ValueError for malformed base64."""
    text = key.reveal()
    return base64.b64decode(text.removeprefix(PREFIX), validate=True) if text.startswith(PREFIX) else text.encode()


class WebhookCaller:
    """Calls the webhooks of a site."""

    def __init__(
        self,
        outbox: Outbox,
        webhooks: Sequence[Webhook],
        keys: Mapping[str, Secret],
        bounds: ServerBounds,
        clock: Callable[[], float],
        log: Log,
    ) -> None:
        """`keys` are the signing keys by webhook; `clock` returns Unix time."""
        self._outbox, self._webhooks, self._keys = outbox, webhooks, keys
        self._bounds, self._clock, self._log = bounds, clock, log

    async def run(self) -> None:
        """Deliver waiting messages until cancelled."""
        timeout = aiohttp.ClientTimeout(total=self._bounds.call_seconds)
        async with aiohttp.ClientSession(timeout=timeout, trust_env=False, auto_decompress=False) as session:
            await asyncio.gather(*(self._serve(session, webhook) for webhook in self._webhooks))

    async def _serve(self, session: aiohttp.ClientSession, webhook: Webhook) -> None:
        while True:
            if not await self.deliver(session, webhook):
                await asyncio.sleep(self._bounds.watch_seconds)

    async def deliver(self, session: aiohttp.ClientSession, webhook: Webhook) -> bool:
        """Send the next message of `webhook` that is due; False if there is none, or it was not accepted."""
        message = await asyncio.to_thread(self._outbox.next, webhook.name)
        if message is None or message.due > self._clock():
            return False
        error = await self._call(session, webhook, message)
        if not error:
            await asyncio.to_thread(self._outbox.delivered, message)
            return True
        again = await asyncio.to_thread(self._outbox.failed, message, self._clock())
        rest = "it is sent again" if again else "it is given up"
        self._log(f"webhook {webhook.name} did not take {message.message} ({error}): {rest}")
        return False

    async def _call(self, session: aiohttp.ClientSession, webhook: Webhook, message: Message) -> str:
        """Why a webhook did not accept a message; empty if it did."""
        timestamp, body = int(self._clock()), message.body.encode()
        headers = {
            "content-type": "application/json",
            "webhook-id": message.message,
            "webhook-timestamp": str(timestamp),
            "webhook-signature": signature(self._keys[webhook.name], message.message, timestamp, body),
        }
        try:
            async with session.post(webhook.url, data=body, headers=headers, allow_redirects=False) as answer:
                return "" if answer.status in SUCCESS else f"status {answer.status}"
        except TimeoutError:
            return f"no answer within {self._bounds.call_seconds:g} s"
        except (aiohttp.ClientError, OSError, ValueError) as error:
            return f"{type(error).__name__}: {error}"
