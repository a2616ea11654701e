"""HTTPS requests to one BMC: certificates, timeouts, bounded retries, so many at a time, and no more than a visit may take."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import aiohttp
from yarl import URL

from rackwright.base import foreign
from rackwright.model.access import Access
from rackwright.redfish import failures, trust
from rackwright.redfish.address import base_url
from rackwright.redfish.reply import BmcError, OverLimitError, Reply
from rackwright.redfish.request_limits import RequestLimits
from rackwright.redfish.visit_limit import VisitLimit

Body = dict[str, Any] | Callable[[], aiohttp.payload.Payload] | None
"""A JSON object, or a function that gives what to send, anew for each attempt: an open file is read once."""
NEVER_ARRIVED = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError)


class Connection:
    """All requests of one visit."""

    def __init__(self, address: str, access: Access, patience: RequestLimits, beside: Connection | None) -> None:
        """`beside`: another one to the same BMC, whose connections are shared."""
        self._address = address
        self._base = base_url(address)
        self._access = access
        self.patience = patience
        self.taken = VisitLimit(address, patience.visit)
        self.headers: dict[str, str] = {}
        """Sent with each request: the account, or its session."""
        self.quick_paths: set[str] = set()
        """Paths where a POST is answered as quickly as a GET."""
        self.answer_seconds = 0.0
        self._beside = beside
        self._places: asyncio.Semaphore = beside._places if beside else asyncio.Semaphore(patience.connections)
        connect = patience.connect_seconds
        self._quick = aiohttp.ClientTimeout(total=patience.read_seconds, sock_connect=connect)
        self._slow = aiohttp.ClientTimeout(total=patience.write_seconds, sock_connect=connect)
        self._upload = aiohttp.ClientTimeout(total=patience.upload_seconds, sock_connect=connect)
        self._http: aiohttp.ClientSession

    def open(self) -> None:
        """The visit begins now."""
        self.taken.begin()
        connector = self._beside._http.connector if self._beside else self._connector()
        headers = {"Accept": "application/json", "OData-Version": "4.0"}
        self._http = aiohttp.ClientSession(
            connector=connector,
            connector_owner=self._beside is None,
            headers=headers,
            cookie_jar=aiohttp.DummyCookieJar(),
        )

    async def close(self) -> None:
        """The visit is over."""
        await self._http.close()

    def _connector(self) -> aiohttp.TCPConnector:
        return aiohttp.TCPConnector(ssl=trust.trusted(self._access, self._address), limit=self.patience.connections)

    async def send(self, method: str, path: str, body: Body, headers: dict[str, str]) -> Reply:
        """The answer; a request that surely never arrived, or one that changes nothing, is sent again where there is none. OutsideError without an answer."""
        pause = self.patience.backoff_seconds
        for attempt in range(1, self.patience.attempts + 1):
            last = attempt == self.patience.attempts
            try:
                reply = await self.once(method, path, body, headers)
            except aiohttp.ClientConnectorCertificateError as error:
                raise failures.untrusted(self._address, error) from error
            except aiohttp.ServerFingerprintMismatch as error:
                raise failures.other_certificate(self._address, error) from error
            except aiohttp.ClientConnectionError as error:
                if last or not (method == "GET" or isinstance(error, NEVER_ARRIVED)):
                    raise failures.unreachable(self._address, error) from error
            except TimeoutError as error:
                raise failures.no_answer(self._address, method, path) from error
            except aiohttp.ClientError as error:
                raise failures.unreachable(self._address, error) from error
            else:
                if reply.status != HTTPStatus.SERVICE_UNAVAILABLE or last:
                    return reply
            await asyncio.sleep(pause)
            pause *= 2
        raise AssertionError("the last attempt returns or raises")

    async def once(self, method: str, path: str, body: Body, headers: dict[str, str]) -> Reply:
        """The answer to a request that is sent once."""
        if not path.startswith("/"):
            words = f"BMC {self._address} gave the link {path!r}, which leads elsewhere: update its firmware"
            raise BmcError(words, "leads elsewhere")
        if method != "DELETE":  # whoever logs out asks for nothing
            self.taken.require(path, 1)
            self.taken.answers += 1
        quick = method in {"GET", "DELETE"} or path in self.quick_paths
        timeout = self._upload if callable(body) else self._quick if quick else self._slow
        content_of: dict[str, Any] = {"data": body()} if callable(body) else {"json": body}
        async with self._places:  # what waits for a connection does not count as an answer that takes long
            started = asyncio.get_running_loop().time()
            async with self._http.request(
                method, URL(self._base + path, encoded=True), timeout=timeout,
                headers={**self.headers, **headers}, allow_redirects=False, **content_of,
            ) as response:  # fmt: skip
                try:
                    content = await foreign.read_all(response.content, self.patience.document.bytes)
                except foreign.RefusedAnswerError as excess:
                    raise OverLimitError(self._address, path, excess) from None
            self.answer_seconds += asyncio.get_running_loop().time() - started
        self.taken.add(path, content)
        return Reply(response.status, response.headers.copy(), content, self.patience.document)
