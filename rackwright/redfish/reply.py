"""One answer of a BMC, and the sentences for answers that are refusals or too much."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from rackwright.base import foreign
from rackwright.base.errors import OutsideError

ABSENT = {HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED, HTTPStatus.NOT_IMPLEMENTED}
"""Answers that mean: this BMC does not have that resource."""

REFUSED = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}


class OverLimitError(OutsideError):
    """A BMC sent more than is read of it."""

    def __init__(self, address: str, path: str, excess: foreign.RefusedAnswerError) -> None:
        super().__init__(
            f"BMC {address} answered {path} with {excess}: it is faulty or hostile, update its firmware or reset it"
        )
        self.beginning = excess.beginning
        """What of the answer is kept."""


@dataclass(frozen=True)
class Reply:
    """Status, headers and body of one answer."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    most: foreign.ForeignLimit
    """Of the body as a document."""

    def document(self, address: str, path: str) -> dict[str, Any]:
        """The body as a JSON object; OutsideError when it is not one, OverLimitError when it is too much of one."""
        try:
            document = self._parsed()
        except foreign.RefusedAnswerError as excess:
            raise OverLimitError(address, path, excess) from None
        except ValueError:
            document = None
        if not isinstance(document, dict):
            raise OutsideError(
                f"BMC {address} did not answer {path} with a JSON object: update its firmware or reset it"
            )
        return document

    @property
    def etag(self) -> str:
        """The entity tag of the document (header, else ``@odata.etag``); empty when the BMC keeps none."""
        header = self.headers.get("ETag", "")
        if header:
            return header
        try:
            document = self._parsed()
        except ValueError:
            return ""
        return str(document.get("@odata.etag") or "") if isinstance(document, dict) else ""

    @property
    def message(self) -> str:
        """The BMC's own words for an error (Redfish extended information), empty when it gave none."""
        try:
            error = self._parsed()["error"]
            extended = error.get("@Message.ExtendedInfo") or [{}]
            return str(extended[0].get("Message") or error.get("message") or "")
        except (ValueError, KeyError, TypeError, AttributeError, IndexError):
            return ""

    def _parsed(self) -> Any:
        return foreign.json_document(self.body, self.most)


def refusal(address: str, method: str, path: str, reply: Reply) -> OutsideError:
    """The error for an answer that is not a success, as one sentence with a next step."""
    if reply.status in REFUSED:
        return OutsideError(
            f"BMC {address} refused the account (HTTP {reply.status}): check the user and password in the environment "
            "variables that control.bmc of the site names, then run again"
        )
    words = f", it said: {reply.message}" if reply.message else ""
    return OutsideError(
        f"BMC {address} answered {method} {path} with HTTP {reply.status}{words}: look at the BMC's own log, then run again"
    )
