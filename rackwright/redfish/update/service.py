"""How a BMC takes firmware: pushed as a form with its parameters, fetched by itself from the mirror, or pushed as it is.

Schema: https://redfish.dmtf.org/schemas/v1/UpdateService.json; of the form DSP0266, Software update types.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import aiohttp

from rackwright.base.errors import OutsideError
from rackwright.model.resource import FirmwareUpdate
from rackwright.redfish.client import Client
from rackwright.redfish.reply import Reply
from rackwright.redfish.resources.numbers import maybe
from rackwright.redfish.resources.service_root import ServiceRoot
from rackwright.redfish.resources.text_members import word

SIMPLE = "#UpdateService.SimpleUpdate"
APPLY_TIME, IMMEDIATE = "@Redfish.OperationApplyTime", "Immediate"
SUPPORT = "@Redfish.OperationApplyTimeSupport"
STREAM = "application/octet-stream"


class UpdateService(NamedTuple):
    """What we read of it; empty where it has no such way."""

    path: str
    multipart: str
    push: str
    simple: str
    """Target of its action SimpleUpdate."""
    protocols: tuple[str, ...]
    """Transfer protocols of that; empty where it lists none."""
    apply_times: tuple[str, ...]
    most_bytes: int
    """Of an image; 0 where it does not say."""
    document: Mapping[str, Any]

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> UpdateService:
        """The record of an UpdateService `document`."""
        action = (document.get("Actions") or {}).get(SIMPLE)
        simple: Mapping[str, Any] = action if isinstance(action, Mapping) else {}
        multipart = word(document, "MultipartHttpPushUri")
        times = document.get(f"MultipartHttpPushUri{SUPPORT}") if multipart else None
        support = times or simple.get(SUPPORT) or {}
        return cls(
            path=word(document, "@odata.id"),
            multipart=multipart,
            push=word(document, "HttpPushUri"),
            simple=word(simple, "target"),
            protocols=tuple(simple.get("TransferProtocol@Redfish.AllowableValues") or ()),
            apply_times=tuple(support.get("SupportedValues") or ()) if isinstance(support, Mapping) else (),
            most_bytes=int(maybe(document.get("MaxImageSizeBytes")) or 0),
            document=document,
        )

    def fetches(self, url: str) -> bool:
        """Whether it can fetch `url` itself."""
        return bool(self.simple) and (not self.protocols or urlsplit(url).scheme.upper() in self.protocols)


async def read_service(client: Client, name: str) -> UpdateService:
    """The update service of the BMC of the machine `name`; OutsideError where it has none, or takes nothing."""
    path = ServiceRoot.of(await client.root()).updates
    document = await client.get_optional(path) if path else None
    service = UpdateService.of(document or {})
    if (
        document is None
        or document.get("ServiceEnabled") is False
        or not (service.multipart or service.push or service.simple)
    ):
        raise OutsideError(
            f"the BMC of {name} takes no firmware over Redfish: enable its UpdateService, or use the maker's tool and `rackwright up SITE --refresh`"
        )
    return service


async def send(client: Client, service: UpdateService, update: FirmwareUpdate, image: Path) -> tuple[str, Reply]:
    """Have the BMC take `image`: how, and its answer. OutsideError when it refuses, or the image is larger than it takes."""
    size = await asyncio.to_thread(lambda: image.stat().st_size)
    if service.most_bytes and size > service.most_bytes and not service.fetches(update.url):
        raise OutsideError(
            f"the image {image.name} has {size:,} bytes, and the BMC {client.address} takes {service.most_bytes:,}: use the package for single components; nothing was sent"
        )
    if service.multipart:
        return "multipart", await client.post(service.multipart, lambda: _form(service, update, image))
    if service.fetches(update.url):
        return "SimpleUpdate", await client.post(service.simple, _request(service, update))
    if not service.push:
        raise OutsideError(
            f"the BMC {client.address} fetches images only by {', '.join(service.protocols)}, and the mirror has {update.url}: serve the mirror by one of them"
        )
    return "HttpPushUri", await client.post(service.push, lambda: _file(image))


def _form(service: UpdateService, update: FirmwareUpdate, image: Path) -> aiohttp.MultipartWriter:
    """UpdateParameters before UpdateFile: several BMCs read them in this order, and Dell's wants the name of the file."""
    parameters: dict[str, Any] = {"Targets": update.targets}
    if not service.apply_times or IMMEDIATE in service.apply_times:
        parameters[APPLY_TIME] = IMMEDIATE
    if update.oem:
        parameters["Oem"] = update.oem
    form = aiohttp.MultipartWriter("form-data")
    part = form.append(json.dumps(parameters), {"Content-Type": "application/json"})
    part.set_content_disposition("form-data", name="UpdateParameters")
    file = form.append_payload(_file(image))
    file.set_content_disposition("form-data", name="UpdateFile", filename=image.name)
    return form


def _file(image: Path) -> aiohttp.payload.Payload:
    return aiohttp.payload.BufferedReaderPayload(image.open("rb"), content_type=STREAM)


def _request(service: UpdateService, update: FirmwareUpdate) -> dict[str, Any]:
    body: dict[str, Any] = {"ImageURI": update.url}
    if service.protocols:
        body["TransferProtocol"] = urlsplit(update.url).scheme.upper()
    if update.targets:
        body["Targets"] = update.targets
    if IMMEDIATE in service.apply_times:
        body[APPLY_TIME] = IMMEDIATE
    return body
