"""HTTP of the boot server: loader, boot script, files of the image, answers, and the report of the installed system."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from aiohttp import web
from pydantic import ValidationError

from rackwright.boot.install_records import OPEN, InstallRecord, MachineReport, State
from rackwright.boot.installation import Installations, RefusedError
from rackwright.boot.signed_path import Purpose
from rackwright.install import render
from rackwright.install.render import BOOT_SCRIPT

WRITTEN = "written"


@dataclass(frozen=True)
class BootServer:
    """What the handlers share."""

    installations: Installations
    loader: Path
    templates: Mapping[str, Mapping[str, str]]
    """Path of each template by its file, by method."""
    log: Callable[[str], None]
    change: asyncio.Event = field(default_factory=asyncio.Event)
    """Set at each change of a state: DHCP answers others from then on."""

    def changed(self) -> None:
        """Wake whoever waits for a change."""
        self.change.set()

    async def wait_for_change(self) -> None:
        """Return at the next change."""
        await self.change.wait()
        self.change.clear()


SERVER = web.AppKey("boot_server", BootServer)


def application(server: BootServer) -> web.Application:
    """The application."""
    app = web.Application(client_max_size=server.installations.bounds.report_bytes)
    app[SERVER] = server
    app.router.add_get(r"/boot/{right}/{name}", _boot)
    app.router.add_get(r"/install/{right}/{name}", _install)
    app.router.add_post(r"/install/{right}/written", _written)
    app.router.add_post(r"/home/{right}", _home)
    return app


async def _boot(request: web.Request) -> web.StreamResponse:
    server, record = request.app[SERVER], _record(request, "boot")
    if request.match_info["name"] == server.loader.name:
        return web.FileResponse(server.loader)
    if request.match_info["name"] != BOOT_SCRIPT:
        raise web.HTTPNotFound
    try:
        install = server.installations.begin(record)
    except RefusedError as error:
        server.log(str(error))
        raise web.HTTPForbidden from None
    finally:
        server.changed()
    return web.Response(text=render.text(install, server.templates[install.image.method][BOOT_SCRIPT]))


async def _install(request: web.Request) -> web.StreamResponse:
    server, record, name = request.app[SERVER], _record(request, "install"), request.match_info["name"]
    install = server.installations.answers(record)
    paths, templates = server.installations.files[install.image.name].paths, server.templates[install.image.method]
    if name in paths:
        return web.FileResponse(paths[name])
    if name not in templates or name == BOOT_SCRIPT:
        raise web.HTTPNotFound
    server.installations.installing(record)
    return web.Response(text=render.text(install, templates[name]))


async def _written(request: web.Request) -> web.StreamResponse:
    server, record = request.app[SERVER], _record(request, "install", (*OPEN, "written"))
    server.installations.written(record)
    server.changed()
    return web.Response(text="ok\n")


async def _home(request: web.Request) -> web.StreamResponse:
    server, record = request.app[SERVER], _record(request, "home")
    try:
        report = MachineReport.model_validate_json(await request.read())
    except ValidationError:
        server.log(f"what {record.node} reports cannot be read")
        raise web.HTTPBadRequest from None
    findings = server.installations.came_home(record, report)
    server.changed()
    if findings:
        raise web.HTTPConflict(text="this is not the declared machine: ask who runs the boot server\n")
    return web.Response(text="ok\n")


def _record(request: web.Request, purpose: Purpose, states: Collection[State] = OPEN) -> InstallRecord:
    """The record of the machine that asks; 403 for one that may not, whose reason the log has."""
    server = request.app[SERVER]
    try:
        return server.installations.right(request.match_info["right"], purpose, request.remote, states)
    except RefusedError as error:
        server.log(f"refused {purpose} to {request.remote}: {error}")
        raise web.HTTPForbidden from None
